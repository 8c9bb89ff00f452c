// Everything a person can do, said once: its key, its words, and when it makes sense. Buttons, shortcuts and the list of
// shortcuts all come from this table.

import { t } from "./i18n/i18n.js";
import { isDark } from "./theme.js";
import { saveRecord, savePicture } from "./download.js";

const playing = (app) => app.game.status?.phase === "playing" && app.game.position?.is_live;
const inGame = (app) => Boolean(app.game.info);
const counting = (app) => app.game.status?.phase === "counting";
const away = (app) => app.game.status?.phase === "playing" && !app.game.position?.is_live;
// A game with the engine, at its own end: what is done there cannot be undone by walking back.
const serious = (app) => playing(app) && app.game.humanColor() !== "both";
const over = (app) => app.game.status?.phase === "over";

const go = (fields) => (app) => inGame(app) && app.ask({ type: "go", ...fields });
const overlay = (kind) => (app) => {
  const { settings } = app;
  settings.set("overlay", settings.get("overlay") === kind ? null : kind);
  if (settings.get("overlay")) app.wantAnalysis();
};

/** `group` orders the shortcuts list; `when` greys out; `isOn` makes a button a switch. */
export const COMMANDS = {
  newGame: { group: "game", key: "n", run: (app) => app.dialogs.newGame() },
  openRecord: { group: "game", key: "o", run: (app) => app.dialogs.openRecord() },
  games: { group: "game", key: "g", run: (app) => app.dialogs.games() },
  exportGame: { group: "game", key: "E", when: inGame, run: (app) => app.dialogs.exportGame() },
  saveRecord: { group: "game", key: "s", when: inGame, run: saveRecord },
  savePng: { group: "game", key: "i", run: (app) => savePicture(app, "png") },
  saveSvg: { group: "game", key: "I", run: (app) => savePicture(app, "svg") },

  pass: {
    group: "play", key: "p", when: (app) => app.game.position?.may_play,
    run: (app, byKey) => (byKey && serious(app) ? app.dialogs.pass() : app.play("pass")),
  },
  undo: { group: "play", key: "u", when: (app) => app.game.status?.can_undo, run: (app) => app.ask({ type: "undo" }) },
  hint: { group: "play", key: "H", when: (app) => serious(app) && app.game.status.turn === "human", run: (app) => app.ask({ type: "hint" }) },
  keep: { group: "play", key: "K", when: (app) => Boolean(app.game.status?.teacher?.warning), run: (app) => app.ask({ type: "keep" }) },
  resign: { group: "play", key: "q", when: (app) => playing(app) && app.game.humanColor() !== null, run: (app) => app.dialogs.resign() },
  accept: { group: "play", key: "k", when: (app) => counting(app) && app.game.counting?.isProposed, run: (app) => app.ask({ type: "accept" }) },
  resume: { group: "play", key: "j", when: counting, run: (app) => app.ask({ type: "resume" }) },
  rematch: { group: "play", key: "R", when: over, run: (app) => app.begin({ type: "rematch", swap: true }) },

  first: { group: "walk", key: "Home", run: go({ to: "first" }) },
  back10: { group: "walk", key: "PageUp", run: go({ by: -10 }) },
  back: { group: "walk", key: "ArrowLeft", run: go({ by: -1 }) },
  forward: { group: "walk", key: "ArrowRight", run: go({ by: 1 }) },
  forward10: { group: "walk", key: "PageDown", run: go({ by: 10 }) },
  last: { group: "walk", key: "End", run: go({ to: "last" }) },
  toLive: { group: "walk", key: "Backspace", when: away, run: go({ to: "live" }) },
  up: { group: "walk", key: "ArrowUp", run: go({ to: "up" }) },
  down: { group: "walk", key: "ArrowDown", run: go({ to: "down" }) },

  analyse: {
    group: "analyse", key: "a", when: inGame, isOn: (app) => Boolean(app.game.status?.analysing),
    run: (app) => app.analyse(),
  },
  deeper: { group: "analyse", key: "d", when: inGame, run: (app) => app.deeper() },
  bestMoves: {
    group: "analyse", key: "b", isOn: (app) => app.settings.get("bestMoves"),
    run: (app) => {
      app.settings.toggle("bestMoves");
      if (app.settings.get("bestMoves")) app.wantAnalysis();
    },
  },
  ownership: { group: "analyse", key: "t", isOn: (app) => app.settings.get("overlay") === "ownership", run: overlay("ownership") },
  policy: { group: "analyse", key: "h", isOn: (app) => app.settings.get("overlay") === "policy", run: overlay("policy") },
  criticality: { group: "analyse", key: "c", when: (app) => app.knowsCritical, isOn: (app) => app.settings.get("overlay") === "criticality", run: overlay("criticality") },
  overlayValues: {
    group: "analyse", key: "v", isOn: (app) => app.settings.get("overlayValues"), run: (app) => app.settings.toggle("overlayValues"),
  },
  playBest: {
    group: "analyse", key: "Enter", when: (app) => app.game.analysis?.moves.length && app.game.position?.may_play && !serious(app),
    run: (app) => app.play(app.game.analysis.moves[0].vertex),
  },

  review: {
    group: "review", key: "r", when: inGame, isOn: (app) => Boolean(app.game.status?.reviewing),
    run: (app) => app.review(),
  },
  previousMistake: { group: "review", key: ",", when: inGame, run: (app) => app.goToMistake(-1) },
  nextMistake: { group: "review", key: ".", when: inGame, run: (app) => app.goToMistake(1) },
  tryIt: {
    group: "review", key: "y", when: inGame, isOn: (app) => Boolean(app.game.status?.trial),
    run: (app) => app.tryIt(),
  },
  train: { group: "review", key: "T", run: (app) => import("./training/training.js").then(({ openTraining }) => openTraining(app)) },
  guess: {
    group: "review", key: "G", when: inGame, isOn: (app) => Boolean(app.guessing),
    run: (app) => import("./training/guess.js").then(({ toggleGuess }) => toggleGuess(app)),
  },
  edit: {
    group: "review", key: "P", when: inGame, isOn: (app) => Boolean(app.editing),
    run: (app) => import("./edit/palette.js").then(({ toggleEdit }) => toggleEdit(app)),
  },
  editComment: { group: "review", key: "e", when: inGame, run: (app) => app.editComment() },
  deleteBranch: {
    group: "review", key: "Delete", when: (app) => inGame(app) && app.game.node()?.parent !== null && !app.game.isPlayed(),
    run: (app) => app.dialogs.deleteBranch(),
  },
  promote: {
    group: "review", key: "^", when: (app) => app.game.info?.mode === "study" && !app.game.isMainLine(),
    run: (app) => app.ask({ type: "promote", node: app.game.position.node }),
  },

  tabPlay: { group: "view", key: "1", run: (app) => app.settings.set("tab", "play") },
  tabAnalyse: { group: "view", key: "2", run: (app) => app.settings.set("tab", "analyse") },
  tabReview: { group: "view", key: "3", run: (app) => app.settings.set("tab", "review") },
  coordinates: { group: "view", key: "l", isOn: (app) => app.settings.get("coordinates"), run: (app) => app.settings.toggle("coordinates") },
  numbers: { group: "view", key: "m", isOn: (app) => app.settings.get("numbers"), run: (app) => app.settings.toggle("numbers") },
  sound: { group: "view", key: "x", isOn: (app) => app.settings.get("sound"), run: (app) => app.settings.toggle("sound") },
  theme: { group: "view", key: "z", isOn: (app) => isDark(app.settings), run: (app) => app.settings.set("theme", isDark(app.settings) ? "light" : "dark") },
  focusBoard: { group: "view", key: "f", run: (app) => app.board.element.focus({ focusVisible: true }) },
  cluster: { group: "view", key: "w", when: (app) => Boolean(app.game.hello?.cluster), run: (app) => app.dialogs.cluster() },
  settings: { group: "view", key: ";", run: (app) => app.dialogs.settings() },
  shortcuts: { group: "view", key: "?", run: (app) => app.dialogs.shortcuts() },
};

export function label(name) {
  return t(`command.${name}`);
}

export function keyName(key) {
  const names = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Delete: "Del", Backspace: "⌫", PageUp: "PgUp", PageDown: "PgDn" };
  return names[key] ?? (key.length === 1 && key !== key.toLowerCase() ? `⇧ ${key}` : key.length === 1 ? key.toUpperCase() : key);
}

export function listenForKeys(app) {
  const byKey = new Map(Object.entries(COMMANDS).map(([name, command]) => [command.key, name]));
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input, textarea, select, dialog[open]");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const name = byKey.get(event.key);
    // Enter and space belong to the button that has the focus.
    if (!name || (event.key === "Enter" && event.target.closest?.("button, a, [tabindex]"))) return;
    event.preventDefault();
    run(app, name, true);
  });
}

export function run(app, name, byKey = false) {
  const { when, run: act } = COMMANDS[name];
  if (!when || when(app)) act(app, byKey);
}
