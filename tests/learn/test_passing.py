"""What only happened on a day or is only felt is never asked about; what lasts, and what changes a life, is."""

import pytest

from ricordo.learn.passing import passing
from ricordo.learn.sentences import worth_asking
from tests.learn.talk import turn

PASSING = """
I'm so tired today.
I feel great.
We are absolutely shattered.
I'm over the moon!
I could cry, honestly.
I'll never forget the evening we moved in.
Can't wait for the holidays to start.
I saw a fox by the bins.
I made soup and burnt it.
We watched two films in a row.
I went for a walk along the canal.
I had lunch with Tom at the new place.
I'm in Paris for three days, at a small hotel.
I would be a terrible vegan.
All morning I sorted old letters.
Woke up late and spilled the coffee.
Ich wäre gern ein Vogel.
Then the lights went out for ten minutes.
In the afternoon I lay in the garden and read.
The neighbour's cat got into our kitchen this morning.
The man next to me on the bus speaks five languages.
A woman in the queue told me that she breeds llamas.
I'm off to Porto for a wedding.
We're staying with my cousin for two nights.
I have to call the plumber tomorrow.
Ich bin heute total müde.
Heute hat es den ganzen Tag geregnet.
Nachmittags habe ich die Küche geputzt.
Das war der schönste Moment.
Ein Mann im Zug hatte drei Papageien.
Oggi ho comprato le scarpe rosse.
Sono molto stanca.
Ieri siamo andati al mare.
Aujourd'hui j'ai raté le bus.
Je suis trop contente.
Hoy he comido fatal.
Estoy muy cansado.
Ayer fuimos al cine.
今天我很累。
""".strip().splitlines()

LASTING = """
I teach the trombone at a music school.
I've had asthma since I was a child.
I moved to Leeds last week.
We got engaged last night.
I quit my job today.
Our second child was born on Sunday.
I met my wife in Rome.
I went vegetarian in January.
I had a heart attack in 2021.
I ran a bakery for ten years.
I would rather walk than take the bus.
Grew up on a farm near Galway.
I walk to work every morning.
I swim in the lake on Sundays.
I am tired of winters, I have lived here for twenty years.
My brother Oskar is deaf.
The knee doctor says I can run again.
I'm hopeless at baking.
I'm good with my hands.
I'm scared of flying.
As of this week I'm a full-time baker.
I found my calling when I became a nurse.
We keep hens behind the house.
I no longer drink coffee.
Ich spiele seit zehn Jahren Geige.
Ich arbeite abends in einer Bar.
Letzte Woche bin ich nach Ulm gezogen.
Ho due figlie e vivo a Trieste.
Mi sono sposata ieri.
Je suis infirmière à Nantes.
J'ai déménagé hier.
Soy celadora en un hospital.
Me he mudado hoy a Vigo.
""".strip().splitlines()


@pytest.mark.req("E1")
@pytest.mark.parametrize("said", PASSING)
def test_a_day_a_mood_and_a_stranger_pass(said: str) -> None:
    """The sentence is taken for passing, and the model is not asked about it."""
    assert passing(said)
    assert not worth_asking([turn(said)])


@pytest.mark.req("E1")
@pytest.mark.parametrize("said", LASTING)
def test_what_lasts_and_what_changes_a_life_do_not_pass(said: str) -> None:
    """The sentence is asked about, on whatever day it is told."""
    assert not passing(said)
    assert worth_asking([turn(said)])


@pytest.mark.req("E1")
def test_irony_says_nothing() -> None:
    """A message that means the opposite of what it says is not asked about."""
    assert not worth_asking([turn("Great, another reorganisation. I'm the manager's favourite. I have a big office now.")])
    assert worth_asking([turn("Great, thanks! I have another question: I am a nurse and work nights.")])
