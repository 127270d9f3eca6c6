"""The wish that something be forgotten, in several languages: learning follows it, and recall looks up nothing for it.

The one rule: only a command forgets. "I forgot", "don't forget" and "did you forget?" are none.
"""

from __future__ import annotations

import re
from typing import Final

_FORGET = (
    "forget|delete|erase|remove|unlearn|drop|vergiss|vergesst|vergessen sie|lösche?|dimentica\\w*|cancella\\w*|scorda\\w*"
    "|oublie\\w*"
    "|efface\\w*|supprime\\w*|olvida\\w*|borra\\w*|elimina\\w*|esque[çc]a?|apaga\\w*|забудь\\w*|удали\\w*"
)
FORGET: Final = re.compile(
    rf"^\W*(?:(?:please|pls|hey|ok|okay|so|now|then|and|also|actually|just|bitte|per favore|s'il te plaît|por favor"
    rf"|no)\b[\s,]*|请)*"
    rf"(?:(?:can|could|would|will|kannst|könntest|puoi|potresti|peux|pourrais|puedes|podrías)[\s-]+(?:you|du|tu"
    rf"|ti)?\s*(?:please|just|bitte)?\s*"
    rf"|i\s+(?:want|need|would\s+like)\s+you\s+to\s+|i'd\s+like\s+you\s+to\s+|you\s+(?:can|should|may|must)\s+|请|你?(?:可以|能)?)?"
    rf"(?:please\s+)?(?:(?:{_FORGET})(?!\w)|忘记|忘掉|删除|(?:don['’]t|do not|stop)\s+(?:remember|remembering|keep|store"
    rf"|storing)(?!\w))(?P<what>.*)",
    re.IGNORECASE | re.DOTALL,
)
