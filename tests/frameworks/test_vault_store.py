"""A vault as LangGraph's store: what LangGraph's own store in memory does, it does, or says in a sentence why not."""

import asyncio
import pathlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypedDict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore, GetOp, InvalidNamespaceError, ListNamespacesOp, MatchCondition, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore

from ricordo import AsyncVault, Vault
from ricordo.errors import InvalidInput, RicordoError, SwitchedOff
from ricordo.fact import Global, InSpace
from ricordo.langgraph import GLOBAL, VaultStore
from tests.vaults import CHEAP, PASSPHRASE, with_vault

pytestmark = pytest.mark.req("I1")

BEES = {"text": "The user keeps bees."}


@pytest.fixture
def vault(tmp_path: pathlib.Path) -> Iterator[Vault]:
    """A vault whose global list is open."""
    with Vault.create(tmp_path / "diary.ricordo", PASSPHRASE, cost=CHEAP) as made:
        made.set(global_memories=True)
        yield made


def test_what_a_program_puts_the_person_sees(vault: Vault) -> None:
    """A namespace is a Space, made with the first item; each item is a fact of it, and a change in the log."""
    store = VaultStore(vault, program="Gardener")
    store.put(("Garden",), "a", BEES)
    store.put(("work", "ann"), "a", {"text": "The user leads the team of the north."})
    store.put(GLOBAL, "b", {"text": "The user is allergic to walnuts."})
    garden, work = vault.spaces.all()
    assert (garden.name, work.name) == ("Garden", "work/ann")
    assert {(fact.text, fact.home) for fact in vault.facts.all()} == {
        ("The user keeps bees.", InSpace(garden.id)),
        ("The user leads the team of the north.", InSpace(work.id)),
        ("The user is allergic to walnuts.", Global()),
    }
    assert {change.model for change in vault.changes.all()} == {"Gardener"}
    vault.changes.undo(vault.changes.all()[0].id)
    assert store.get(GLOBAL, "b") is None


def test_what_the_person_keeps_the_program_finds(vault: Vault) -> None:
    """With its id for a key, its times, and what fits best first."""
    store = VaultStore(vault, field="content")
    space = vault.spaces.create("Garden")
    vault.facts.add("Has nine goats.", InSpace(space.id))
    fig = vault.facts.add("Planted seven fig trees beside the south wall.", InSpace(space.id))
    vault.facts.add("Has a fig allergy.", Global())
    found = store.search(("Garden",), query="Where do the fig trees stand?")
    assert [(each.key, each.value, each.namespace) for each in found] == [(str(fig.id), {"content": fig.text}, ("Garden",))]
    assert found[0].score is not None and found[0].score > 0
    assert found[0].created_at == fig.created.local
    assert [each.value["content"] for each in store.search((), query="fig trees")] == [fig.text, "Has a fig allergy."]
    assert len(store.search(("Garden",))) == 2


# What the person's rules ask beyond LangGraph's is left out here: texts differ by numbers, so that none is a duplicate.
NAMESPACES = [("a",), ("a", "b"), ("a", "b", "c"), ("d", "b"), GLOBAL]
KEYS = ["one", "two", "k-3"]
PATHS = st.lists(st.sampled_from(["a", "b", "c", "*"]), min_size=1, max_size=3).map(tuple)
OPS = st.one_of(
    st.builds(lambda ns, key: ("put", ns, key), st.sampled_from(NAMESPACES), st.sampled_from(KEYS)),
    st.builds(lambda ns, key: PutOp(ns, key, None), st.sampled_from(NAMESPACES), st.sampled_from(KEYS)),
    st.builds(GetOp, st.sampled_from(NAMESPACES), st.sampled_from(KEYS)),
    st.builds(lambda ns: SearchOp(ns, limit=100), st.sampled_from([(), ("a",), ("a", "b"), ("x",), GLOBAL])),
    st.builds(
        lambda kind, path, depth: ListNamespacesOp((MatchCondition(kind, path),), depth),
        st.sampled_from(["prefix", "suffix"]), PATHS, st.none() | st.integers(1, 3),
    ),
    st.just(ListNamespacesOp(limit=2, offset=1)),
)  # fmt: skip


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(OPS, min_size=3, max_size=14))
def test_it_does_what_the_store_in_memory_does(vault: Vault, steps: list[Any]) -> None:
    """The same operations give the same items, keys and namespaces."""
    vault.remove_data()
    ours, theirs = VaultStore(vault), InMemoryStore()
    for number, step in enumerate(steps):
        op = PutOp(step[1], step[2], {"text": f"The user owns {number + 2} boats."}) if step[0] == "put" else step
        # That store goes on listing namespaces that hold nothing any more, or were only looked into.
        reference = filled(theirs) if isinstance(op, ListNamespacesOp) else theirs
        assert plain(ours, op) == plain(reference, op), op


def filled(store: BaseStore) -> BaseStore:
    """Return a store in memory with just the items that another one holds."""
    made = InMemoryStore()
    made.batch([PutOp(item.namespace, item.key, item.value) for item in store.search((), limit=1000)])
    return made


def plain(store: BaseStore, op: Any) -> Any:
    """Return what a store gives, without times; the order of a listing is each store's own."""
    (given,) = store.batch([op])
    if isinstance(op, SearchOp):
        return sorted((each.namespace, each.key, each.value) for each in given)  # type: ignore[union-attr]
    return (given.namespace, given.key, given.value) if isinstance(op, GetOp) and given else given  # type: ignore[union-attr]


REFUSED: dict[str, tuple[Callable[[BaseStore], None], str]] = {
    "several fields": (lambda store: store.put(("a",), "k", {"text": "The user is 30.", "age": 30}), "one statement each"),
    "another field": (lambda store: store.put(("a",), "k", {"memory": "The user is 30."}), "field=…"),
    "no text": (lambda store: store.put(("a",), "k", {"text": 30}), "one statement each"),
    "nothing": (lambda store: store.put(("a",), "k", {}), "one statement each"),
    "a secret": (lambda store: store.put(("a",), "k", {"text": "The user's password is hunter2!x9."}), "looks like a secret"),
    "not to be found": (lambda store: store.put(("a",), "k", BEES, index=False), "always be found"),
    "to expire": (lambda store: store.batch([PutOp(("a",), "k", BEES, None, 5.0)]) and None, "does not expire"),
    "a slash": (lambda store: store.put(("a/b",), "k", BEES), "without slashes"),
    "a space at the end": (lambda store: store.put(("a ",), "k", BEES), "without slashes"),
    "other capitals": (lambda store: store.put(("GARDEN",), "k", BEES), "called Garden"),
    "the list in capitals": (lambda store: store.put(("Global",), "k", BEES), "small letters"),
    "an odd test": (lambda store: store.search(("Garden",), filter={"text": {"$regex": "x"}}) and None, "no test \\$regex"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_cannot_be_kept_faithfully_is_refused(vault: Vault, kind: str) -> None:
    """With a sentence that says what to do, and nothing is kept."""
    store = VaultStore(vault)
    space = vault.spaces.create("Garden")
    vault.facts.add("Has nine goats.", InSpace(space.id))
    work, said = REFUSED[kind]
    with pytest.raises(InvalidInput, match=said):
        work(store)
    assert (len(vault.facts.all()), [each.name for each in vault.spaces.all()]) == (1, ["Garden"])


def test_one_value_that_cannot_be_kept_keeps_the_whole_batch_out(vault: Vault) -> None:
    """Their shapes are looked at before anything is written."""
    store = VaultStore(vault)
    with pytest.raises(InvalidInput):
        store.batch([PutOp(("a",), "k", BEES), PutOp(("a",), "l", {"n": 1})])
    with pytest.raises(InvalidNamespaceError):
        store.batch([PutOp(("a",), "k", BEES), GetOp(("a.b",), "k")])
    assert vault.facts.all() == []
    with pytest.raises(NotImplementedError):
        store.put(("a",), "k", BEES, ttl=5)


def test_filters_and_pages(vault: Vault) -> None:
    """All tests of LangGraph's on the one field there is; pages without gaps."""
    store = VaultStore(vault)
    texts = [f"The user planted {number} fig trees." for number in range(2, 8)]
    for number, text in enumerate(texts):
        store.put(("Garden",), f"k{number}", {"text": text})
    pages = [store.search(("Garden",), query=query, limit=2, offset=at) for query in (None, "fig") for at in (0, 2, 4)]
    assert [len(page) for page in pages] == [2] * 6
    assert {item.value["text"] for page in pages[:3] for item in page} == set(texts)
    assert {item.key for page in pages[3:] for item in page} == {f"k{number}" for number in range(6)}
    assert [item.key for item in store.search(("Garden",), filter={"text": texts[1]})] == ["k1"]
    assert [item.key for item in store.search(("Garden",), query="fig", filter={"text": {"$lt": texts[1]}})] == ["k0"]
    assert len(store.search(("Garden",), filter={"text": {"$ne": texts[1]}})) == 5
    assert store.search(("Garden",), filter={"other": 1}) == []


@pytest.mark.req("W3")
def test_a_list_that_is_off_holds_nothing(vault: Vault) -> None:
    """It is neither read nor listed, and says so to who writes."""
    store = VaultStore(vault)
    store.put(GLOBAL, "k", BEES)
    vault.set(global_memories=False)
    assert (store.get(GLOBAL, "k"), store.search(()), store.list_namespaces()) == (None, [], [])
    with pytest.raises(SwitchedOff, match="Global memories are off"):
        store.put(GLOBAL, "l", BEES)


class State(TypedDict):
    """What a graph hands on."""

    said: str
    known: list[str]


def graph(store: BaseStore) -> Any:
    """A graph of two steps: what was said is remembered, then what is known is looked up."""

    def remember(state: State, runtime: Runtime[None]) -> dict[str, Any]:
        assert runtime.store is not None
        runtime.store.put(("Garden",), "latest", {"text": state["said"]})
        return {}

    async def aremember(state: State, runtime: Runtime[None]) -> dict[str, Any]:
        assert runtime.store is not None
        await runtime.store.aput(("Garden",), "latest", {"text": state["said"]})
        return {}

    def look(state: State, runtime: Runtime[None]) -> dict[str, Any]:
        assert runtime.store is not None
        return {"known": [item.value["text"] for item in runtime.store.search(("Garden",), query="bees")]}

    async def alook(state: State, runtime: Runtime[None]) -> dict[str, Any]:
        assert runtime.store is not None
        return {"known": [item.value["text"] for item in await runtime.store.asearch(("Garden",), query="bees")]}

    over_async = isinstance(store, VaultStore) and isinstance(store._vault, AsyncVault)
    made = StateGraph(State)
    made.add_node("remember", aremember if over_async else remember)
    made.add_node("look", alook if over_async else look)
    for one, other in ((START, "remember"), ("remember", "look"), ("look", END)):
        made.add_edge(one, other)
    return made.compile(store=store)


def test_a_graph_works_with_it(vault: Vault) -> None:
    """Its steps run in threads of LangGraph's, several at once, beside each other."""
    app = graph(VaultStore(vault))
    assert app.invoke({"said": "The user keeps bees.", "known": []})["known"] == ["The user keeps bees."]
    assert app.invoke({"said": "The user keeps bees and ducks.", "known": []})["known"] == ["The user keeps bees and ducks."]
    store = VaultStore(vault)

    async def at_once() -> None:
        sentences = [f"The user has {number} hives." for number in range(2, 10)]
        await asyncio.gather(*(store.aput(("Hives",), f"k{at}", {"text": text}) for at, text in enumerate(sentences)))
        assert sorted(item.value["text"] for item in await store.asearch(("Hives",))) == sentences

    asyncio.run(at_once())
    assert [space.name for space in vault.spaces.all()] == ["Garden", "Hives"]


def test_over_an_async_vault(tmp_path: pathlib.Path) -> None:
    """In its own event loop; who calls it otherwise is told."""

    async def work(core: AsyncVault) -> None:
        store = VaultStore(core)
        app = graph(store)
        done = await app.ainvoke({"said": "The user keeps bees.", "known": []})
        assert done["known"] == ["The user keeps bees."]
        assert await store.alist_namespaces() == [("Garden",)]
        item = await store.aget(("Garden",), "latest")
        assert item is not None and item.value == BEES
        await store.adelete(("Garden",), "latest")
        await store.adelete(("Nowhere",), "latest")
        assert await store.asearch(()) == []
        with pytest.raises(InvalidInput, match="aget"):
            store.get(("Garden",), "latest")

    with_vault(tmp_path, work)


@pytest.mark.req("V3")
def test_a_locked_vault_says_so(vault: Vault) -> None:
    """As every other call does."""
    store = VaultStore(vault)
    vault.close()
    with pytest.raises(RicordoError, match="locked"):
        store.get(("Garden",), "k")


@pytest.mark.req("X1")
def test_importing_it_reaches_for_no_network() -> None:
    """Nor does what LangGraph brings along."""
    program = (
        "import sys\n"
        "def guard(event, args):\n"
        "    if event in ('socket.connect', 'socket.getaddrinfo'): raise SystemExit(f'{event} {args}')\n"
        "sys.addaudithook(guard)\n"
        "import ricordo.langgraph\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
