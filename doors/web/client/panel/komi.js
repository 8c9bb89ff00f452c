// Dynamic komi: under which komi the engine is playing, and why. Shown because handicap play is a feature, not a secret.

import { h, setText } from "../dom.js";
import { maybe, t } from "../i18n/i18n.js";
import { komiText, percent, signed } from "../numbers.js";

export function komiPanel(app) {
  const value = h("strong");
  const why = h("p", { class: "why" });
  const rules = h("span", { class: "rules" });
  const element = h(
    "section",
    { class: "komi-card", "aria-label": t("komi.title") },
    h("div", { class: "komi-head" }, rules, value),
    why,
  );
  return {
    element,
    update() {
      const { info, komi } = app.game;
      element.hidden = !info;
      if (!info) return;
      const handicap = info.handicap > 1 ? ` · ${t("komi.handicap", { stones: info.handicap })}` : "";
      const size = `${info.size}×${info.size}`;
      setText(rules, `${size} · ${maybe(`rules.${info.rules}`) ?? info.rules} · ${t("komi.real", { komi: komiText(info.komi) })}${handicap}`);
      const dynamic = info.mode === "play" && komi && komi.why !== "none";
      value.hidden = why.hidden = !dynamic;
      if (!dynamic) return;
      setText(value, t("komi.under", { under: komiText(komi.under), extra: signed(komi.extra) }));
      const numbers = { ...komi.numbers, move: app.game.nodes.get(komi.node)?.number ?? komi.numbers.move };
      if (numbers.engine_win !== undefined) numbers.engine_win = percent(numbers.engine_win, 0);
      setText(why, maybe(`komi.why.${komi.why}`, numbers) ?? komi.why);
    },
  };
}
