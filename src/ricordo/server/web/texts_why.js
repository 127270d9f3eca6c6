/** What *What did the model see?* says. */

const deciders = { model: "the model", score: "its score", rule: "a rule" };
const shortenings = { piece: "its best piece, cut", model: "shortened by the model", cut: "cut" };

const steps = { plan: "Planning what to look for", gather: "Searching", check: "Checking what was found", shorten: "Shortening" };
const times = {
  waited: "Its turn came", recalled: "What helps was found", prepared: "All was put together", "first piece": "The first word came",
  replied: "The reply was whole",
};

// What can speak for something that was found: the features of recall/features.py.
const reasons = {
  words: "its words", meaning: "its meaning", "meaning beside": "what stands beside it", covers: "holds what was asked",
  pairs: "words together", sitting: "written in one go with the like", "sitting covers": "that sitting holds what was asked",
  before: "what it answers", after: "what answers it", speaker: "who says it", person: "you wrote it", opens: "opens a sitting",
  time: "tells a time", day: "its day", newer: "newer",
};
const points = (speaks) => {
  const said = Object.entries(speaks).map(([name, value]) => `${reasons[name] ?? name} ${value.toFixed(1)}`);
  return said.length ? ` (${said.join(", ")})` : "";
};

export const whyTexts = {
  whyWhen: (at, model) => `Reply of ${at}${model ? `, by ${model}` : ""}`,
  whyLayers: (used, window) => `Sent: about ${used.toLocaleString()} of ${window.toLocaleString()} tokens`,
  whyFound: "Looked for in what was written before",
  whySearched: "Searched for ",
  whyNoSearch: "Nothing was searched for.",
  whyNothing: "Nothing was found.",
  whySearchesGone: "What was searched for is no longer kept, because something that was shown here has been deleted.",
  fates: { sent: "Sent", "no room": "No room", dropped: "Left out" },
  whyBecause: ({ fate, by, probability, score, speaks, fit, shortened, share, why }) => [
    by && `${fate === "dropped" ? "left out" : "kept"} by ${deciders[by] ?? by}${probability === null ? "" : ` (${Math.round(probability * 100)}% yes)`}`,
    `score ${score.toFixed(1)}${points(speaks)}`,
    `fit ${fit.toFixed(2)}`,
    shortened !== "whole" && `${shortenings[shortened]}${share ? ` to ${share.toLocaleString()} tokens` : ""}${why ? ` (${why})` : ""}`,
  ].filter(Boolean).join(" · "),
  whyParts: {
    facts: (count) => `Memories that are always sent (${count.toLocaleString()})`,
    references: (count) => `Looked up by date or place (${count.toLocaleString()})`,
    window: (count) => `The conversation itself (${count.toLocaleString()})`,
  },
  whyWritten: (author, day) => `${day}${author === null ? "" : author === "user" ? ", you" : ", the model"}`,
  whyWrote: (author) => (author === "user" ? "You wrote" : "The model wrote"),
  whyOn: " on ",
  whyDeleted: (kind) => (kind === "fact" ? "A fact that was deleted since" : "A message that was deleted since"),
  whyChanged: "(changed since)",
  whySteps: "Steps, times and tokens",
  whyStep: (name, seconds) => `${steps[name] ?? name}, ${seconds.toFixed(2)} s:`,
  whyTime: (name, seconds) => `${times[name] ?? name} after ${seconds.toFixed(2)} s`,
  whyTokens: ({ prompt, cached, evaluated, reply }) =>
    [["prompt", prompt], ["known from before", cached], ["read anew", evaluated], ["reply", reply]]
      .filter(([, count]) => count !== null).map(([name, count]) => `${name} ${count.toLocaleString()} tokens`).join(", "),
};
