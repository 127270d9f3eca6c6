"""What a client sends of a conversation, and what the vault shows of it."""

from ricordo.vault import AsyncVault


def said(*texts: str) -> list[dict[str, str]]:
    """Texts by turns the person's and the model's."""
    return [{"role": ("user", "assistant")[at % 2], "content": text} for at, text in enumerate(texts)]


async def shown(vault: AsyncVault, talk: int) -> list[str]:
    """Return the texts that a conversation shows."""
    return [message.text for message in await vault.conversations.messages(talk)]
