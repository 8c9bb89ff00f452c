// Dynamic komi over the game: the extra komi the search worked under at each move.

import { h, svg, setText } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { signed } from "../numbers.js";
import { Chart, text, ticks } from "./chart.js";

const LEAST_MOVES = 20;
const LEAST_KOMI = 5;

export function komiHistory(app) {
  const chart = new Chart("komi-history", 80);
  chart.element.setAttribute("aria-label", t("graph.komiHistory"));
  const readout = h("output", { class: "readout" });
  const element = h("section", { class: "graph" }, h("h3", {}, t("graph.komiHistory"), readout), chart.element);

  const history = () => app.game.line().map((node) => node.extra_komi ?? null);

  function draw() {
    const komis = history();
    const known = komis.flatMap((extra, i) => (extra === null ? [] : [{ i, extra }]));
    const most = Math.max(LEAST_KOMI, ...known.map((point) => point.extra));
    const least = Math.min(0, ...known.map((point) => point.extra));
    const x = chart.xScale(0, Math.max(LEAST_MOVES, komis.length - 1));
    const y = chart.yScale(least, most);
    const { left, right } = chart.inner;
    // Each value holds until the next one, and the last one for a move at least: a single value is seen, too.
    const last = known.length ? `H${x(known.at(-1).i + 1)}` : "";
    const steps = known.map(({ i, extra }, n) => (n ? `H${x(i)}V${y(extra)}` : `M${x(i)} ${y(extra)}`)).join("") + last;
    chart.put(
      svg("path", { class: "half", d: `M${left} ${y(0)}H${right}` }),
      ticks(least, most, 3).map((value) => text(left - 4, y(value) + 4, signed(value, 0), "tick", "end")),
      ticks(0, Math.max(LEAST_MOVES, komis.length - 1), 5).map((n) => text(x(n), chart.height - 4, String(n), "tick")),
      svg("path", { class: "curve", d: steps }),
    );
    setText(readout, known.length ? signed(known.at(-1).extra) : "");
  }
  chart.redraw = draw;

  return {
    element,
    update(changed) {
      element.hidden = !app.game.info || !history().some((extra) => extra);
      if (!element.hidden && ["game", "nodes", "position"].some((topic) => changed.has(topic))) draw();
    },
  };
}
