// Dynamic komi: under which komi the engine is playing, and why. Shown because handicap play is a feature, not a secret.

import { h, setText } from "../dom.js";
import { maybe, t } from "../i18n/i18n.js";
import { komiText, percent, signed } from "../numbers.js";

export function komiPanel(app) {
  const value = h("strong");
  const why = h("p", { class: "why" });
  const element = h(
    "section",
    { class: "komi-card", "aria-label": t("komi.title") },
    value,
    why,
  );
  return {
    element,
    update() {
      const { info, komi, status } = app.game;
      element.hidden = !(info?.mode === "play" && komi && komi.why !== "none");
      if (element.hidden) return;
      const isOver = status?.phase === "over";
      setText(value, t(isOver ? "komi.wasUnder" : "komi.under", { under: komiText(komi.under), extra: signed(komi.extra) }));
      const numbers = { ...komi.numbers, move: (app.game.nodes.get(komi.node)?.number ?? komi.numbers.move) + 1 };
      if (numbers.engine_win !== undefined) numbers.engine_win = percent(numbers.engine_win, 0);
      why.hidden = isOver;
      setText(why, maybe(`komi.why.${komi.why}`, numbers) ?? "");
    },
  };
}
