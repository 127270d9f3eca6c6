/** What the steps of the first run say; questions that the settings ask as well have their words there. */

export const firstTexts = {
  step: (number, count) => `Step ${number} of ${count}`,
  next: "Next",
  skip: "Skip this step",
  finish: "Begin writing",
  skipAll: "Begin writing",
  later: "All of this is in Settings, too, at any time.",

  modelTitle: "Where replies come from",
  modelIntro: "You can write without any model. With one you get replies, and it remembers for you.",
  cloudTitle: "A model elsewhere",
  cloudIntro: "Any server that speaks the OpenAI protocol, by its address and key.",
  cloudUse: "Use this server",
  chosen: (server) => `Replies come from ${server} now.`,

  defaultsTitle: "Pick your defaults",
  autoLock: "Lock when nobody is there",
  autoLockNote: "After 15 minutes without a key or click everything is blank until the passphrase is typed.",

  importTitle: "Bring in what you wrote before",
  importIntro: "A diary from elsewhere, or an export of Ricordo. You can do that later as well.",
};
