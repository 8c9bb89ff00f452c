// The teacher: a word about a move that lost much, with the offer to take it back; and hints in steps.

import { h, setText } from "../dom.js";
import { maybe, t } from "../i18n/i18n.js";
import { buttonRow } from "../button.js";

export function teacherPanel(app) {
  const line = h("p", { class: "teacher-line", role: "status" });
  const why = h("p", { class: "why" });
  const warning = buttonRow(app, { undo: { class: "primary", icon: "undo", words: "teacher.takeBack" }, keep: {} });
  const hint = h("p", { class: "hint-line", role: "status" });
  const element = h("section", { class: "teacher", "aria-label": t("teacher.title") }, line, why, warning.element, hint);
  return {
    element,
    update() {
      const { status, position } = app.game;
      const warned = status?.teacher?.warning ?? null;
      const told = position?.is_live && !app.training ? hintText(status?.hint) : "";
      element.hidden = !warned && !told;
      line.hidden = warning.element.hidden = !warned;
      warning.update();
      setText(line, warned ? t("teacher.lost", { points: Math.round(warned.lost) }) : "");
      setText(why, warned ? reasonWords(warned.reasons, "after").join(" ") : "");
      why.hidden = !why.textContent;
      setText(hint, told);
      hint.hidden = !told;
    },
  };
}

function hintText(hint) {
  if (!hint) return "";
  if (!hint.is_ready) return t("hint.looking");
  const words = hint.step > 2 ? reasonWords(hint.reasons, "best") : [];
  return [t(`hint.step${hint.step}`, { moves: hint.moves.join(", ") }), ...words].join(" ");
}

/** Reasons as sentences: what the best move does, or what the other side can do after a mistake. */
export function reasonWords(reasons, side) {
  return (reasons ?? []).map(({ key, count }) => maybe(`reason.${side}.${key}`, { count })).filter(Boolean);
}
