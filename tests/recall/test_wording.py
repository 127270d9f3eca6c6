"""What a message gives to look for, told by rules: small talk starts no search, in no language."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ricordo.recall.wording import Kind, about_own_past, asked_for, kind, telling

NOTHING = (
    "hi|Hello!|thanks|Thanks, that's perfect!|ok|3|b|2.|a)|👍|😂😂|...|||?!|Thank you so much!|ok great, thank you"
    "|good morning|How are you?"
    "|yes|Yes please|no|haha|Danke!|Vielen Dank|Grazie mille|Merci beaucoup|gracias|Obrigada!|спасибо|谢谢|好的"
    "|ありがとうございます|네"
    "|สวัสดีครับ|ok 👍|sure, sounds good|Good night!|that was helpful|you're the best|bye|see you tomorrow|got it|lol"
    "|Guten Morgen!"
    "|Ciao, come stai?|Bonjour, ça va ?|Hola, ¿cómo estás?|Hmm|Perfect, thanks a lot"
    "|That makes sense|Sehr gut|Pas de problème|De acuerdo|What can you do?|And you?|Tack så mycket|わかった|Just kidding"
    "|Interesting, thanks|Thanks Ana!|Thank you, that helps.|I see|Bis morgen!|never mind"
    "|What is 19 percent of 260?|What is 17 times 23?|12*7|Was ist 15 mal 4?|Translate 'good morning' to French."
    "|Rewrite this sentence to be friendlier: 'Send the report by noon.'|Proofread: Their going home."
).split("|")
POINTING = (
    "Why?|Who was she?|And then?|What about it?|Tell me more|When was that?|Und wann war das?"
    "|do you remember what we said?|and him?"
)
TELLING = (
    "Which bakery did I like in Riga?|猜灯谜|What did the doctor say about my knee?|Should I buy more of it?"
    "|penicillin|4711|NVIDIA|Ada"
    "|Was hat der Arzt gesagt?|Come si chiama mia sorella?|¿Cómo se llama mi perro?|我妹妹叫什么名字？|妹の名前は？"
    "|How old is Ada, and should I sell V?|When does the show start?|I had a good morning with Ana|Hi! Where did I park?"
    "|Rewrite my toast for Ana: shorter please|Thanks! And what was the plumber's number?|I am so sad today"
    "|Good idea about the garden"
    "|What is my customer number?|Did I sleep well?|Thanks to Ana I got the job!|Okay, so what did Mum say?|Как зовут мою сестру?"
)


@pytest.mark.req("R1", "R3")
@pytest.mark.parametrize("text", NOTHING)
def test_small_talk_sums_and_given_work_start_no_search(text: str) -> None:
    """Nothing that was written before can help."""
    assert kind(text) is Kind.NOTHING, telling(text)


@pytest.mark.req("R1")
@pytest.mark.parametrize("text", POINTING.split("|"))
def test_what_only_points_has_no_words_of_its_own(text: str) -> None:
    """The model has to say what is meant."""
    assert kind(text) is Kind.POINTING, telling(text)


@pytest.mark.req("R1", "R3")
@pytest.mark.parametrize("text", TELLING.split("|"))
def test_what_names_something_is_searched(text: str) -> None:
    """In doubt there is something to look for."""
    assert kind(text) is Kind.TELLING


@pytest.mark.req("R3")
@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Can you tell me what the plumber said?", "what the plumber said?"),
        ("Do you remember my sister's dog?", "my sister's dog?"),
        ("Ok, please remind me what Dr. Osei told me.", "what Dr. Osei told me."),
        ("Kannst du mir sagen, wie mein Arzt heißt?", "wie mein Arzt heißt?"),
        ("Ti ricordi il nome del dentista?", "il nome del dentista?"),
        ("Which bakery did I like in Riga?", "Which bakery did I like in Riga?"),
        ("do you remember what we said?", "do you remember what we said?"),
    ],
)
def test_the_phrase_that_asks_is_not_searched_for(text: str, left: str) -> None:
    """Unless nothing else is left."""
    assert asked_for(text) == left


@given(st.text(max_size=200))
@example("0\xadA")
def test_any_text_has_a_kind(text: str) -> None:
    """Nothing that a person types raises, and what is asked for says as much as the message."""
    assert kind(text) in Kind
    assert bool(telling(asked_for(text))) == bool(telling(text))


@pytest.mark.req("R8")
def test_a_pasted_page_is_judged_at_once() -> None:
    """No pattern walks a long text again and again."""
    begun = time.process_time()
    for text in ("translate 'a" * 5000, "1+" * 20_000, "per " * 10_000, "it's " * 10_000, "“a" * 10_000, "好" * 20_000):
        kind(text)
        asked_for(text)
    assert time.process_time() - begun < 2.0


@pytest.mark.req("R6")
@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("Was I ever afraid of losing my sight?", True),
        ("Did we have a dog?", True),
        ("What did Tom say to me about the boat?", True),
        ("Hatte ich je einen Hund?", True),
        ("Ho mai avuto un cane?", False),  # no pronoun: in doubt nothing is said
        ("Ai-je déjà eu un chien? Je ne sais plus.", True),
        ("Should I buy a bike?", False),
        ("What should I cook tonight?", False),
        ("What is the capital of France?", False),
        ("I was at the sea today and it was lovely.", False),
        ("thanks!", False),
    ],
)
def test_questions_about_ones_own_past(text: str, is_one: bool) -> None:
    """Where nothing is found for them that is said; advice and the world's facts are none, nor is an entry."""
    assert about_own_past(text) is is_one
