// One line that says how things stand, and the buttons that make sense now.

import { h, setText } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { buttonRow, STOPS } from "../button.js";
import { komiText } from "../numbers.js";

const ROWS = {
  playing: { undo: { icon: "undo" }, hint: { icon: "bulb", isShy: true }, pass: { icon: "pass" }, resign: { icon: "flag" } },
  counting: { accept: { class: "primary" }, resume: {} },
  over: { rematch: { class: "primary" }, review: {}, newGame: {} },
  away: { toLive: { class: "primary" }, tryIt: { isShy: true } },
  trial: { pass: { icon: "pass" }, tryIt: { icon: "play", on: STOPS } },
  study: { pass: { icon: "pass" } },
};

export function statusPanel(app) {
  const line = h("p", { class: "status-line", role: "status", "aria-live": "polite" });
  const note = h("p", { class: "status-note" });
  const rows = Object.fromEntries(Object.entries(ROWS).map(([phase, looks]) => [phase, buttonRow(app, looks)]));
  const element = h("section", { class: "status" }, line, note, Object.values(rows).map((row) => row.element));
  return {
    element,
    update() {
      const { status, info } = app.game;
      // An exercise says itself what is to be done, and so does the teacher.
      element.hidden = !info || !status || Boolean(app.training || app.guessing) || rowFor(app.game) === "asked";
      if (element.hidden) return;
      setText(line, statusText(app.game));
      setText(note, noteText(app.game));
      note.hidden = !note.textContent;
      const now = rowFor(app.game);
      element.dataset.phase = now;
      for (const [name, row] of Object.entries(rows)) {
        row.element.hidden = name !== now;
        if (name === now) row.update();
      }
    },
  };
}

function rowFor({ status, position }) {
  if (status.trial) return "trial";
  if (status.teacher?.warning && position?.is_live) return "asked";
  if (status.phase === "playing" && !position?.is_live) return "away";
  return status.phase;
}

function statusText(game) {
  const { status, position, info } = game;
  if (status.phase === "over") return resultText(status.result);
  if (status.phase === "counting") return t(game.counting?.isProposed ? "status.counting" : "status.countingThinks");
  if (status.trial) return t("status.trial", { color: t(`color.${status.trial.color}`) });
  if (status.phase === "study") return t("status.toMove", { color: t(`color.${position?.to_move ?? "black"}`) });
  if (!position?.is_live) return t("status.lookingBack");
  if (status.turn === "engine") return t("status.engine", { name: info[status.to_move].name || "Jigo" });
  const both = game.humanColor() === "both";
  return both ? t("status.toMove", { color: t(`color.${status.to_move}`) }) : t("status.yourTurn", { color: t(`color.${status.to_move}`) });
}

function noteText(game) {
  const { counting, status } = game;
  if (counting?.isProposed) {
    return t("status.count", { result: countText(counting) });
  }
  const passed = game.node()?.move === "pass";
  if (passed && status.phase !== "over") return t("status.passed", { color: t(`color.${game.node().color}`) });
  return "";
}

/** The result of a count in words. */
function countText({ black_points: black, white_points: white, komi }) {
  const lead = black - white - komi;
  return resultText({ by: "points", winner: lead > 0 ? "black" : "white", points: komiText(Math.abs(lead)), isDraw: lead === 0 });
}

export function resultText(result) {
  if (!result) return t("result.none");
  if (result.by === "draw" || result.isDraw || (result.by === "points" && result.points === 0)) return t("result.draw");
  const color = result.winner ? t(`color.${result.winner}`) : "";
  if (result.by === "points") return t("result.points", { color, points: result.points });
  if (result.by === "resignation") return t("result.resignation", { color });
  if (result.by === "time") return t("result.time", { color });
  return result.text;
}
