/** What the settings say about other programs. */

const used = (when) => (when === null ? "never used" : `last used ${when.slice(0, 16).replace("T", " ")}`);

export const programTexts = {
  intro: "A chat program that speaks to OpenAI-compatible servers gets this vault’s memory when it is pointed here, with a token as its key. Tokens work while the vault is unlocked.",
  address: "Its base URL:",
  does: (token, where) => `${token.scope === "read" ? "reads" : "reads and writes"}${where} · made ${token.created.slice(0, 10)} · ${used(token.last_used)}`,
  onlyIn: (space) => `, only in ${space}`,
  revoke: (name) => `Revoke the token of ${name}`,
  revokeNote: "The program that has it is let in no more. It cannot be undone; make another token when you want it back.",
  revokeGo: "Revoke it",
  revoked: (name) => `Revoked: ${name}`,
  keep: "Keep it",
  newToken: "New token",
  name: "What it is for",
  may: "What it may do",
  scopes: { write: "Use memories and keep what is said", read: "Use memories, keep nothing" },
  where: "Where",
  everywhere: "Everywhere",
  make: "Make the token",
  shownOnce: "Copy it now: it is never shown again.",
  copy: "Copy",
};
