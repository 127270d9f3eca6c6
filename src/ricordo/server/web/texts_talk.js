/** What the page says in a conversation: private ones, other versions, waiting messages, what is given along. */

export const talkTexts = {
  later: "Show later messages",

  // A private conversation
  private: "Private",
  privateTitle: "Private conversation",
  privateNote: "Nothing of this is stored, and no memory is read or written. It is gone when you end it, reload the page or lock.",
  privateEnd: "End it",
  privateEnded: "The private conversation is over. Nothing of it is left.",
  privateOn: "Private: nothing of this conversation will be stored.",
  privateOff: "An ordinary conversation again.",
  privateNoCommand: "Nothing is remembered from a private conversation. To send this as a message, begin it with a space.",

  // What can be done with a message
  why: "What did the model see?",
  edit: "Edit",
  editLabel: "Edit your message",
  editNote: (count) => `${count === Infinity ? "All messages" : count === 1 ? "The message" : `The ${count} messages`} after it will stand with the version as it was. You can go back to it at any time.`,
  versions: "Versions",
  versionOf: (number, all) => `${number} of ${all}`,
  versionBefore: "Version before",
  versionAfter: "Version after",
  otherVersionShown: "Another version is shown.",
  refer: "Refer to this in the message box",
  toDiary: "Show this day in the diary",
  referTo: (time) => `Refer to ${time}`,
  copyCode: "Copy code",
  deleteMessageText: "It is deleted for good and no longer found. The summary of this conversation is written anew.",
  learnedFrom: "Learned from it, and kept unless you delete it too:",
  andMore: (count) => `… and ${count} more`,
  deleteKeepFacts: "Delete the message alone",
  deleteWithFacts: (count) => (count === 1 ? "Delete both" : "Delete all of it"),

  // Waiting for the reply that is coming
  queueLabel: "Waiting to be sent",
  queued: "It will be sent when the reply is complete.",
  sendNext: "Send next",
  sendNow: "Send now",
  waits: "Next:",
  held: "Not sent:",
  withdraw: "Withdraw",
  withdrawn: "Withdrawn.",

  // What is given along
  attach: "Attach text files",
  attached: (names) => `Attached: ${names}`,
  attachedLabel: "Attached",
  takeOff: (name) => `Take off: ${name}`,
  size: (bytes) => (bytes < 1000 ? `${bytes} bytes` : bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1).replace(".0", "")} MB`),
  pasted: "Pasted page",
  pasteAsk: "A long text. If these are not your own words, attach it: then nothing is learned from it.",
  pasteAttach: "Attach it",
  noText: (name) => `${name} is no text file, so it was not attached.`,
  fileTooLarge: (name, most) => `${name} is larger than ${most}, so it was not attached. Paste the part that matters.`,
  tooManyFiles: (most) => `No more than ${most} files go with one message.`,

  // Renaming in place
  renameHint: "Double-click or F2 to rename",
  renamed: (title) => `Renamed: ${title}`,

  // Search
  foundFacts: "Facts",
  someFound: (count) => (count === 1 ? "1 hit" : `${count} hits`),
};
