"""tokens: list, new, revoke."""

import pytest

from tests.cli.terminal import Terminal

pytestmark = pytest.mark.req("I2", "I3")


def test_a_token_is_made_listed_and_revoked(ricordo: Terminal) -> None:
    """The secret is the only thing on stdout, so that a script can take it; the list never has it."""
    ricordo("spaces", "create", "Work")
    made = ricordo("tokens", "new", "Editor", "--scope", "read", "--space", "Work")
    assert made.out.startswith("ricordo_") and len(made.out.split()) == 1
    assert "never shown again" in made.err
    (listed,) = ricordo("tokens", "list", "--json").json
    assert set(listed) == {"id", "name", "scope", "space", "created", "last_used"}
    assert (listed["name"], listed["scope"], listed["space"], listed["last_used"]) == ("Editor", "read", 1, None)
    assert ricordo("tokens").out.split("\t")[1:4] == ["Editor", "read", "Work"]
    assert ricordo("tokens", "revoke", str(listed["id"])).out == "Revoked: Editor\n"
    assert ricordo("tokens", "--json").json == []


def test_the_json_of_a_new_token_has_its_secret(ricordo: Terminal) -> None:
    """And nothing of it is printed elsewhere."""
    made = ricordo("tokens", "new", "Notes", "--json")
    assert made.json["token"].startswith("ricordo_")
    assert (made.json["scope"], made.json["space"], made.err) == ("write", None, "")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("tokens", "revoke", "9"), 1),
        (("tokens", "revoke", "editor"), 2),
        (("tokens", "new", "x", "--space", "Nowhere"), 1),
        (("tokens", "new", " "), 2),
        (("tokens", "new", "x", "--scope", "all"), 2),
    ],
)
def test_what_cannot_be_is_an_exit_code(ricordo: Terminal, arguments: tuple[str, ...], code: int) -> None:
    """With a sentence on stderr."""
    ended = ricordo(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert ended.err
