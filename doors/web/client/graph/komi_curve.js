// Win rate for every komi (CGI): how the game would stand if White were given more or less, and where it is even.

import { h, svg, setText } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { komiText, percent } from "../numbers.js";
import { Chart, path, text, ticks } from "./chart.js";

// Beyond these rates the curve is flat and tells nothing.
const SURE = 0.96;

export function komiCurve(app) {
  const chart = new Chart("komi-curve", 120);
  chart.element.setAttribute("aria-label", t("graph.komi"));
  const readout = h("output", { class: "readout" });
  const element = h("section", { class: "graph" }, h("h3", {}, t("graph.komi"), readout), chart.element);
  let inverse = null;

  chart.element.addEventListener("pointermove", (event) => {
    const told = inverse?.(chart.pointerX(event));
    if (told) setText(readout, t("graph.komiAt", { komi: komiText(told[0]), rate: percent(told[1]) }));
  });
  chart.element.addEventListener("pointerleave", () => setText(readout, evenText(app.game.analysis?.komi)));

  function draw() {
    const komi = app.game.analysis?.komi;
    if (!komi?.curve.length) return;
    const shown = interesting(komi);
    const [from, to] = [shown[0][0], shown.at(-1)[0]];
    const x = chart.xScale(from, to);
    const y = chart.yScale(0, 1);
    const { left, right, top, bottom } = chart.inner;
    inverse = (at) => shown.reduce((best, pair) => (Math.abs(x(pair[0]) - at) < Math.abs(x(best[0]) - at) ? pair : best), shown[0]);
    const inside = (value) => value !== null && value >= from && value <= to;
    chart.put(
      svg("rect", { class: "plain", x: left, y: top, width: right - left, height: bottom - top }),
      svg("path", { class: "share", d: `${path(shown.map(([k, win]) => [x(k), y(win)]))}L${right} ${bottom}L${left} ${bottom}Z` }),
      svg("path", { class: "half", d: `M${left} ${y(0.5)}H${right}` }),
      [0, 0.5, 1].map((rate) => text(left - 4, y(rate) + 4, `${100 * rate}`, "tick", "end")),
      ticks(from, to, 6).map((value) => text(x(value), chart.height - 4, komiText(value), "tick")),
      svg("path", { class: "curve", d: path(shown.map(([k, win]) => [x(k), y(win)])) }),
      inside(komi.real) ? svg("path", { class: "now", d: `M${x(komi.real)} ${top}V${bottom}` }) : null,
      inside(komi.even) ? svg("circle", { class: "even", cx: x(komi.even), cy: y(0.5), r: 4.5 }) : null,
    );
    setText(readout, evenText(komi));
  }
  chart.redraw = draw;

  return {
    element,
    update(changed) {
      element.hidden = !app.game.analysis?.komi?.curve?.length;
      if (element.hidden || !changed.has("analysis")) return;
      if (changed.has("position") || !chart.mayRest(app.game.analysis.is_running)) draw();
    },
  };
}

function evenText(komi) {
  return komi?.even === null || komi?.even === undefined ? "" : t("graph.even", { komi: komiText(Math.round(komi.even * 10) / 10) });
}

/** The part of the curve where something happens, always with the real komi in it. */
function interesting({ curve, real }) {
  const open = curve.map(([, win], i) => (win > 1 - SURE && win < SURE ? i : -1)).filter((i) => i >= 0);
  const atReal = curve.reduce((best, [komi], i) => (Math.abs(komi - real) < Math.abs(curve[best][0] - real) ? i : best), 0);
  const from = Math.max(0, Math.min(open[0] ?? atReal, atReal) - 2);
  const to = Math.min(curve.length - 1, Math.max(open.at(-1) ?? atReal, atReal) + 2);
  return from < to ? curve.slice(from, to + 1) : curve;
}
