/** Every word that the page says; those of *What did the model see?* stand beside. Functions are for texts with something in them. */

import { talkTexts } from "./texts_talk.js";

export const texts = {
  ...talkTexts,

  // The door
  createTitle: "Make your vault",
  createIntro: "Everything you write is kept in one encrypted file on this computer. The passphrase opens it.",
  createWarning: "Nobody can reset it. If you lose both the passphrase and the recovery key, what you wrote is gone.",
  createButton: "Make the vault",
  passphrase: "Passphrase",
  passphraseAgain: "The same once more",
  passphrasesDiffer: "The two passphrases are not the same. Type them again.",
  making: "Making the vault…",
  unlockTitle: "Your vault is locked",
  unlockIntro: "Type your passphrase, or the recovery key.",
  unlockButton: "Unlock",
  unlocking: "Unlocking…",
  recoveryTitle: "Your recovery key",
  recoveryIntro: "It opens the vault when the passphrase is lost, and it is shown only now. Print it, or write it down, and keep it apart from this computer.",
  recoveryKept: "I have kept it in a safe place.",
  recoveryGo: "Begin writing",
  recoveryNext: "Set up in three steps",
  recoveryFile: "The recovery key of your Ricordo vault. It opens the vault when the passphrase is lost.",
  saveFile: "Save as a file",
  restoreBackup: "Restore a backup instead…",
  vaultAt: (path) => `Vault: ${path}`,
  noAnswer: "Ricordo does not answer. Start it again, then reload this page.",

  // The list
  railLabel: "Conversations",
  diary: "Diary",
  conversations: "Conversations",
  newConversation: "New conversation",
  untitled: "Untitled",
  search: "Search",
  space: "Space",
  allConversations: "All conversations",
  noSpace: "No Space",
  newSpace: "New Space",
  editSpace: "Space settings",
  nothingYet: "No conversations yet.",
  nothingInSpace: "No conversations in this Space yet.",
  settings: "Settings",
  lock: "Lock",
  openRail: "Show conversations",
  skip: "Skip the list",

  // A conversation
  messagesLabel: "Messages",
  welcomeTitle: "What is on your mind?",
  welcomeText: "Write an entry, or ask something. Tick “Just write” to keep an entry without a reply.",
  examples: ["Today was a good day because ", "Help me plan ", "What should I remember about "],
  writeLabel: "Message",
  writeHint: "Write an entry, or ask something",
  justWrite: "Just write, no reply",
  send: "Send",
  keep: "Keep",
  stop: "Stop",
  you: "You",
  model: "Ricordo",
  copy: "Copy",
  copied: "Copied.",
  print: "Print",
  tryAgain: "Try again",
  askReply: "Get a reply",
  rememberThis: "Remember this",
  remembered: "Remembered in this conversation.",
  remove: "Delete",
  earlier: "Show earlier messages",
  thinking: "Thinking…",
  waiting: "Waiting for the model…",
  replyComplete: "Reply complete.",
  replyStopped: "Stopped.",
  replyBroken: "The reply broke off.",
  entryKept: "Kept.",
  editConversation: "Conversation settings",
  titleField: "Title",
  moveNote: "Moving a conversation leaves what was learned from it where it is.",
  deleteConversation: "Delete…",
  deleteConversationAsk: "Delete this conversation?",
  deleteConversationText: "Its messages, notes and pinned facts are deleted for good. Facts of Spaces and global facts stay.",
  deleteMessageAsk: "Delete this message?",

  // Spaces
  nameField: "Name",
  spaceInstructions: "Instructions for the model in this Space",
  reaches: { conversation: "Only their own", space: "All of this Space", vault: "The whole vault" },
  deleteSpace: "Delete…",
  deleteSpaceAsk: (name) => `Delete the Space ${name}?`,
  deleteSpaceText: "Its memory is deleted for good. What about its conversations?",
  moveOut: "Move them out",
  deleteThemToo: "Delete them too",

  // The meter
  meterIntro: "This is what the model would be sent now. Open a part to read its exact text.",
  meterFigure: (used, window) => `${used.toLocaleString()} of ${window.toLocaleString()} tokens`,
  layers: {
    instructions: "Instructions", memories: "Memories", pinned: "Pinned", summary: "Summary", names: "Names",
    conversation: "Conversation", references: "References", recalled: "Recalled", message: "Your message",
    "reply room": "Room for the reply", free: "Free",
  },
  tokens: (count) => `${count.toLocaleString()} tokens`,

  // Memory
  memory: "Memory",

  // What the model changed
  toastsLabel: "What was just remembered",
  changed: { saved: "Saved to memory", updated: "Updated memory", removed: "Removed memory" },
  undo: "Undo",
  undone: (what) => `Undone. ${what}`,
  undoKey: "Ctrl+Z undoes the last.",
  undoThis: (text) => `Undo: ${text}`,
  undoneAlready: "undone",
  recent: "Recent changes",
  noChanges: "The model has changed nothing yet.",
  unread: (count, reason) => `${count === 1 ? "A turn" : `${count} turns`} could not be read for memories. ${reason}`,

  // Search
  searchLabel: "Search messages and facts",
  searchHint: "Words to look for",
  foundCount: (count) => (count === 0 ? "Nothing found." : count === 1 ? "1 result" : `${count} results`),

  // Finding by meaning
  byMeaning: ({ off, done, total }) => off || (done < total ? `Found by meaning: ${done.toLocaleString()} of ${total.toLocaleString()} so far.` : "Everything is found by meaning, too."),
  embedding: (done, total) => `Making ready to find by meaning: ${Math.floor((100 * done) / total)}%`,

  // Everywhere
  save: "Save",
  cancel: "Cancel",
  saved: "Saved.",
  close: "Close",
  dismiss: "Dismiss",
  keys: "Keyboard",
  keyTable: [
    ["Enter", "Send, or wait behind the reply that is coming"], ["Shift+Enter", "New line"], ["Esc", "Stop the reply, close a dialog"], ["Ctrl+K", "Search"],
    ["Ctrl+Shift+O", "New conversation"], ["Ctrl+I", "Make a conversation that has not begun private"], ["F2", "Rename the conversation"],
    ["↑ in an empty box", "Edit your last message"], ["Shift+Esc", "To the message box"], ["Ctrl+J", "Memory"], ["Ctrl+.", "Settings"],
    ["Ctrl+Z", "Undo what was just remembered"], ["Ctrl+Shift+L", "Lock"], ["?", "This list"],
  ],
};
