// Editing: a palette of stones and marks for the board, facts about the game, and branches to copy, cut and paste.

import { h } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { field, openDialog } from "../dialog/dialog.js";

const TOOLS = ["black", "white", "empty", "triangle", "square", "circle", "cross", "label"];
const SIGNS = { black: "●", white: "○", empty: "⌫", triangle: "△", square: "□", circle: "◯", cross: "✕", label: "A" };
const FACTS = ["black", "black_rank", "white", "white_rank", "event", "round", "date", "place", "result", "annotator", "source", "about"];

/** Opens the palette, or closes it. */
export function toggleEdit(app) {
  if (app.editing) return close(app);
  const tools = TOOLS.map((tool, i) => h("button", {
    type: "button", class: "button tool", dataset: { tool }, title: `${t(`edit.${tool}`)} (${i + 1})`, "aria-label": t(`edit.${tool}`), onclick: () => choose(app, tool),
  }, SIGNS[tool]));
  const act = (name, work) => h("button", { type: "button", class: "button", dataset: { edit: name }, onclick: work }, t(`edit.${name}`));
  const element = h("section", { class: "palette", "aria-label": t("command.edit") },
    h("div", { class: "tools", role: "toolbar", "aria-label": t("command.edit") }, tools),
    h("div", { class: "row small" }, act("facts", () => tellFacts(app)), act("copy", () => copy(app)), act("cut", () => cut(app)), act("paste", () => paste(app)), act("text", () => copyText(app)), act("done", () => close(app))));
  document.querySelector(".panel").prepend(element);
  app.editing = { element, tool: "black", letter: 0 };
  app.editing.keys = (event) => {
    const tool = TOOLS[Number(event.key) - 1];
    if (!tool || event.target.closest?.("input, textarea, select, dialog[open]")) return;
    event.stopPropagation();
    event.preventDefault();
    choose(app, tool);
  };
  document.addEventListener("keydown", app.editing.keys, true);
  choose(app, app.game.info.mode === "study" ? "black" : "triangle");
}

function close(app) {
  document.removeEventListener("keydown", app.editing.keys, true);
  app.editing.element.remove();
  app.editing = null;
}

function choose(app, tool) {
  app.editing.tool = tool;
  for (const button of app.editing.element.querySelectorAll(".tool")) button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
}

/** A point was chosen while the palette is open. */
export function edit(app, point) {
  const { tool } = app.editing;
  const vertex = app.game.vertex(point);
  if (["black", "white", "empty"].includes(tool)) return app.ask({ type: "setup", point: vertex, stone: tool === "empty" ? null : tool });
  return app.ask({ type: "mark", point: vertex, kind: tool, ...(tool === "label" ? { text: nextLetter(app) } : {}) });
}

/** The first letter that is not on the board yet. */
function nextLetter(app) {
  const used = new Set((app.game.position.marks?.labels ?? []).map(([, text]) => text));
  return [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => !used.has(letter)) ?? "A";
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
}

async function cut(app) {
  await copy(app);
  await app.ask({ type: "delete", node: app.game.position.node });
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
  await navigator.clipboard?.writeText(text).catch(() => {});
  app.toast(t("edit.copied"));
}
