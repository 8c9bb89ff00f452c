// Editing: a palette of stones and marks for the board, facts about the game, and branches to copy, cut and paste.

import { h } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { field, openDialog } from "../dialog/dialog.js";
import { opposite } from "../game.js";

const TOOLS = ["black", "white", "empty", "triangle", "square", "circle", "cross", "label", "number", "line", "arrow"];
const STONES = ["black", "white", "empty"];
const STROKES = ["line", "arrow"];
const SIGNS = { empty: "⌫", triangle: "△", square: "□", circle: "◯", cross: "✕", label: "A", number: "1", line: "╱", arrow: "↗" };
const TEXTS = { label: [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"], number: Array.from({ length: 99 }, (_, i) => String(i + 1)) };
// One for each tool, in the order of the keyboard.
const KEYS = "1234567890-";
const FACTS = ["black", "black_rank", "white", "white_rank", "event", "round", "date", "place", "result", "annotator", "source", "about"];

/** Opens the palette, or closes it. */
export function toggleEdit(app) {
  if (app.editing) return close(app);
  // In a game that is, or was, played the stones stand where they were played.
  const isStudy = app.game.info.mode === "study";
  const offered = TOOLS.filter((tool) => isStudy || !STONES.includes(tool));
  const tools = offered.map((tool, i) => h("button", {
    type: "button", class: "button tool", dataset: { tool }, title: `${t(`edit.${tool}`)} (${KEYS[i]})`, "aria-label": t(`edit.${tool}`), onclick: () => choose(app, tool),
  }, h("span", { class: tool in SIGNS ? "sign-of" : `disc ${tool}`, dataset: { sign: SIGNS[tool] ?? "" }, "aria-hidden": "true" })));
  const act = (name, work) => h("button", { type: "button", class: "button", dataset: { edit: name }, onclick: work }, t(`edit.${name}`));
  const element = h("section", { class: "palette", "aria-label": t("command.edit") },
    h("div", { class: "tools", role: "toolbar", "aria-label": t("command.edit") }, tools),
    h("div", { class: "row small" }, isStudy ? act("turn", () => changeTurn(app)) : null, act("facts", () => tellFacts(app)), act("copy", () => copy(app)), act("cut", () => cut(app)), act("paste", () => paste(app)), act("text", () => copyText(app)), act("done", () => close(app))));
  document.querySelector(".panel").prepend(element);
  element.scrollIntoView({ block: "nearest" });
  app.editing = { element, tool: null, from: null, close: () => close(app) };
  app.editing.keys = (event) => {
    const tool = offered[KEYS.indexOf(event.key)];
    if (!tool || event.target.closest?.("input, textarea, select, dialog[open]")) return;
    event.stopPropagation();
    event.preventDefault();
    choose(app, tool);
  };
  document.addEventListener("keydown", app.editing.keys, true);
  choose(app, offered[0]);
}

function close(app) {
  document.removeEventListener("keydown", app.editing.keys, true);
  app.editing.element.remove();
  app.editing = null;
  app.touch("settings");
}

function choose(app, tool) {
  Object.assign(app.editing, { tool, from: null });
  app.touch("settings");
  for (const button of app.editing.element.querySelectorAll(".tool")) button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
}

/** A point was chosen while the palette is open. */
export function edit(app, point) {
  const { tool } = app.editing;
  const vertex = app.game.vertex(point);
  if (STONES.includes(tool)) return app.ask({ type: "setup", point: vertex, stone: tool === "empty" ? null : tool });
  if (STROKES.includes(tool)) return drawStroke(app, point);
  const text = TEXTS[tool] ? labelFor(app, point, TEXTS[tool]) : null;
  return app.ask({ type: "mark", point: vertex, ...(text ? { kind: "label", text } : { kind: tool }) });
}

/** A line has two ends: the first point is remembered, and shown, until the second is chosen. */
function drawStroke(app, point) {
  const { from, tool } = app.editing;
  app.editing.from = from === null ? point : null;
  app.touch("settings");
  if (from !== null && from !== point) return app.ask({ type: "mark", kind: tool, point: app.game.vertex(from), to: app.game.vertex(point) });
}

/** The label of this kind that the point has already, which takes it away; else the first that is not on the board yet. */
function labelFor(app, point, texts) {
  const labels = app.game.position.marks?.labels ?? [];
  const own = labels.find(([at, text]) => at === point && texts.includes(text));
  if (own) return own[1];
  return texts.find((text) => !labels.some(([, used]) => used === text)) ?? texts[0];
}

/** In a position that is set up either player may be to move. */
function changeTurn(app) {
  return app.ask({ type: "turn", color: opposite(app.game.position.to_move) });
}

function tellFacts(app) {
  const { info } = app.game;
  const now = { ...info.record, black: info.black.name, white: info.white.name, black_rank: info.black.rank ?? "", white_rank: info.white.rank ?? "" };
  const inputs = FACTS.map((name) => field(t(`record.${name}`), h("input", { name, value: now[name] ?? "", maxLength: 1000 })));
  const form = h("form", { class: "form", method: "dialog" }, inputs,
    h("div", { class: "row end wide" }, h("button", { type: "submit", class: "button primary", dataset: { answer: "save" } }, t("edit.save"))));
  const dialog = openDialog(t("edit.facts"), form, "facts");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    dialog.close();
    app.ask({ type: "tell", facts: Object.fromEntries(new FormData(form)) });
  });
}

async function copy(app) {
  const answer = await app.askFor({ type: "branch", node: app.game.position.node }, "branch");
  if (answer) app.settings.set("branch", answer.text);
  if (answer) app.toast(t("edit.copied"));
  return answer !== null;
}

/** What could not be copied stays where it is. */
async function cut(app) {
  if (await copy(app)) await app.ask({ type: "delete", node: app.game.position.node });
}

function paste(app) {
  const sgf = app.settings.get("branch");
  return sgf ? app.ask({ type: "paste", sgf }) : app.toast(t("edit.nothing"));
}

/** The position as text, for a mail or a message. */
async function copyText(app) {
  const { size, position } = app.game;
  const sign = (stone) => ({ black: "X", white: "O" })[stone] ?? ".";
  const columns = "ABCDEFGHJKLMNOPQRST".slice(0, size);
  const rows = Array.from({ length: size }, (_, row) => `${String(size - row).padStart(2)} ${position.stones.slice(row * size, (row + 1) * size).map(sign).join(" ")}`);
  const text = [`   ${[...columns].join(" ")}`, ...rows].join("\n");
  const isCopied = (await navigator.clipboard?.writeText(text).then(() => true, () => false)) ?? false;
  if (isCopied) return app.toast(t("edit.copied"));
  // A page that came through the network unencrypted may not reach the clipboard: then it is there to be taken by hand.
  const shown = h("textarea", { class: "as-text", readOnly: true, rows: size + 1, "aria-label": t("edit.text"), value: text });
  openDialog(t("edit.text"), shown);
  shown.select();
}
