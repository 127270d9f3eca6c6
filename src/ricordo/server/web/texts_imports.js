/** What is said about bringing in what was written elsewhere, and taking it back. */

const times = (count, one, many) => `${count.toLocaleString()} ${count === 1 ? one : many}`;
const messages = (count) => times(count, "message", "messages");
const talks = (count) => times(count, "conversation", "conversations");
const memories = (count) => times(count, "memory", "memories");

const kinds = {
  "": "Told by its content",
  chatgpt: "ChatGPT export",
  claude: "Claude export",
  dayone: "Day One journal",
  markdown: "Markdown notes",
  ricordo: "Ricordo export",
  diary: "Diary",
};

function came({ format, conversations, messages: count, facts }, made) {
  return `${messages(count)}, ${times(conversations, made, `${made}s`)}${format === "ricordo" ? `, ${memories(facts)}` : ""}`;
}

export const importTexts = {
  cancel: "Cancel",
  kinds,
  note: "What ChatGPT, Claude or Day One gave you as an export (.zip or .json), a folder of Markdown notes, a diary, or an export of Ricordo. You see first what would come in. What is there already is left alone, so it can be repeated. Nothing is learned from it unless you say so.",
  chooseFiles: "Import files…",
  chooseFolder: "Import a folder…",
  kind: "What it is",
  list: "What was imported",
  nothingToRead: "There is no file in that folder that could be read. Choose another one.",
  looking: "Looking through it",
  bringing: "Importing",
  preview: (seen) => `${kinds[seen.format]}: ${came(seen, "new conversation")}${seen.first ? `, written from ${seen.first.slice(0, 10)} to ${seen.last.slice(0, 10)}` : ""}.`,
  previewNone: ({ format }) => `${kinds[format]}: nothing in it is new.`,
  alreadyThere: (count) => `${messages(count)} ${count === 1 ? "is" : "are"} there already.`,
  undated: (count) => `${times(count, "has", "have")} no time of its own and takes that of what stands beside it.`,
  leftOut: (left) => `Left out: ${left.map(({ what, count }) => `${what} (${count.toLocaleString()})`).join(", ")}.`,
  unreadable: (count) => `${times(count, "place", "places")} could not be read:`,
  go: "Import them",
  done: (done) => `${came(done, "new conversation")} came in.`,
  only: "Only their own conversations use them. For all of them turn on “Let the AI use your whole diary”.",
  server: (server) => `Its settings name the model at ${server}. Look at Models and Privacy.`,
  openIt: "Open the conversation",
  about: (one) => [kinds[one.format], one.at.slice(0, 10), messages(one.messages), one.finished ? null : "cut off: import it again to go on",
    one.learning || one.turns_read ? `${one.turns_read.toLocaleString()} of ${one.turns.toLocaleString()} entries read` : null].filter(Boolean).join(" · "),
  learn: "Learn from it",
  goOn: "Go on learning",
  pause: "Pause learning",
  undo: "Undo",
  undoNamed: (name) => `Undo the import of ${name}`,
  undoAsk: (name) => `Undo the import of ${name}?`,
  undoText: ({ messages: count, conversations, facts }) => `${messages(count)}, ${talks(conversations)} and ${memories(facts)} are deleted for good. What you wrote in its conversations since stays.`,
  undoGo: (count) => `Delete ${messages(count)}`,
  undone: ({ messages: count, conversations, facts }) => `${messages(count)}, ${talks(conversations)} and ${memories(facts)} were taken out again.`,
};
