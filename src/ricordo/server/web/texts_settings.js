/** What the settings say, and the steps of the first run, which ask for some of the same. */

const able = (what, does) => (does === null ? `${what}: not tried` : `${what} ${does ? "✓" : "✗"}`);
const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(1)} GB`;

export const settingsTexts = {
  settings: "Settings",
  sectionsLabel: "Sections of the settings",
  sections: {
    chat: "Memory and chat", features: "Features", models: "Models", programs: "Other programs", privacy: "Privacy", data: "Data", vault: "Vault",
    appearance: "Appearance", keyboard: "Keyboard",
  },
  saved: "Saved",

  // Memory and chat
  remember: "Let the AI remember facts about me",
  rememberNote: "Off: the model writes no facts, notes or summaries. What is kept already goes on being used.",
  wholeDiary: "Let the AI use your whole diary",
  wholeDiaryNote: "Off: a conversation uses only its own memories, and what you shared.",
  instructions: "Instructions for the model, in every conversation",
  timeZone: "Time zone",
  timeZoneHint: "Empty: the computer’s",

  // Features
  globalMemories: "Global memories",
  globalMemoriesNote: "Facts that follow you into every conversation; they are learned in those outside a Space.",
  manageGlobal: (count) => `Manage global memories (${count.toLocaleString()})`,
  embedder: "Finding by meaning",
  embedders: { embedded: "With the built-in model, on this computer", server: "With the model server", off: "Off: by words alone" },

  // Models
  serverKind: "Where the model runs",
  embedded: "Built in, on this computer",
  ownServer: "A server at an address",
  here: (bytes) => `The built-in model is here (${gigabytes(bytes)}). It needs nothing else, and nothing leaves this computer.`,
  notHere: (bytes) => `The built-in model is not here yet. Fetching it loads ${gigabytes(bytes)}, once; after that it needs no network.`,
  fetch: "Fetch it",
  fetching: "Fetching the built-in model",
  fetched: "It is here.",
  looking: "Looking for model servers on this computer…",
  noServers: "No model server was found on this computer. One that you start later (Ollama, LM Studio, llama.cpp, …) is found when you look again.",
  lookAgain: "Look again",
  foundServers: "Found on this computer",
  serverAt: (server) => `${server.name} at ${server.base_url}`,
  modelOf: (server) => `Model of ${server.name}`,
  noModels: "It has no model yet.",
  use: "Use it",
  inUse: "In use",
  serverAddress: "Address of the server",
  serverHint: "https://api.example.com/v1",
  modelName: "Model",
  modelHint: "Empty: the first one the server offers",
  fileHint: "Empty: the built-in one. Or the path of a GGUF file",
  apiKey: "Key, if the server wants one",
  apiKeySet: "A key is kept. Type to replace it.",
  window: "Window in tokens (0: ask the server)",
  replyRoom: "Tokens kept free for the reply",
  temperature: "How freely it writes (0 to 2)",
  timeout: "Seconds without a sign of life before a reply is given up",
  foreground: "Most seconds for finding memories before a reply",
  finer: "Finer points",
  cloudNote: (host) => `${host} is not this computer. What you write goes there with each reply, together with the memories that are looked up for it. The hidden calls that learn facts, plan searches and write summaries go there, too. Facts already saved go along; global facts go with every conversation.`,
  test: "Test",
  testing: "Testing…",
  works: (model, seconds) => `${model} replied in ${seconds} s.`,
  skillTest: "Try out",
  skillTesting: "Trying out what it can do. A small model takes a minute or two.",
  skillUnknown: "What this model can do has not been tried out yet.",
  skill: ({ model, remembers, summarises, tested }) =>
    `${model}: ${able("remembers", remembers)} · ${able("summarises", summarises)} · tried out on ${tested.slice(0, 10)}`,

  // Privacy
  privacyIntro: "What goes where, with the settings as they are now:",
  thisComputer: "Stays on this computer",
  goesTo: (host) => `Goes to ${host}`,
  privacy: {
    file: ["What you write, and all that is made of it", "Kept in one encrypted file. Nothing of it is ever written to the disk in plain text, unless you export it."],
    reply: ["Each message that asks for a reply", { local: "Read by a model on this computer.", cloud: "With the recent conversation, pinned facts and the memories that are looked up for it." }],
    diary: ["Your diary, when a reply looks something up", {
      own: "Only what stands in the same conversation or Space, and what you shared.", whole: "Anything in the vault may be looked up: “Let the AI use your whole diary” is on.",
    }],
    learn: ["The calls that learn facts and write summaries", { on: "Your messages and the replies, read once more by the same model.", off: "Nothing: “Let the AI remember facts about me” is off." }],
    global: ["Global facts", { on: "Go with every conversation that uses them.", off: "Nothing: global memories are off." }],
    meaning: ["Finding by meaning", { embedded: "Worked out on this computer.", server: "Every message and fact goes to the model server once.", off: "Nothing: it is off." }],
    network: ["Everything else", "Nothing. No statistics, no updates, no pictures or scripts from elsewhere; this page answers only on this computer."],
  },

  // Appearance, keyboard
  appearance: "Colours",
  appearances: { system: "As the system", light: "Light", dark: "Dark" },

  // Vault
  vaultIntro: (path) => `Everything is in ${path}.`,
  autoLock: "Lock after idle minutes (0: never)",
  lockNow: "Lock now",
  changePassphrase: "Change the passphrase",
  oldPassphrase: "Passphrase now, or the recovery key",
  newPassphrase: "New passphrase",
  newPassphraseAgain: "The new one once more",
  passphraseChanged: "The passphrase is changed. Backups made before still open with the old one.",
  newRecovery: "Make a new recovery key",
  newRecoveryNote: "The old key opens this vault no more. Backups made before still open with it.",
  yourPassphrase: "Your passphrase",
  working: "Working…",
};
