// The course of the game: Black's lead, or Black's chances, one at a time. Dots are mistakes. A click jumps.

import { h, svg, setText } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { leadText, percent } from "../numbers.js";
import { MISTAKE, qualityOfLoss } from "../quality.js";
import { Chart, path, text, ticks } from "./chart.js";

const LEAST_MOVES = 20;
const LEAST_SCORE = 10;

export function gameGraph(app) {
  const chart = new Chart("game-graph", 190, {});
  chart.element.setAttribute("aria-label", t("graph.game"));
  const readout = h("output", { class: "readout" });
  const series = ["lead", "win"].map((name) =>
    h("button", { type: "button", class: "series", dataset: { series: name }, onclick: () => app.settings.set("series", name) }, t(`graph.${name}`)));
  const element = h("section", { class: "graph" }, h("h3", {}, h("span", { class: "series-choice" }, series), readout), chart.element);
  let line = [];
  let x = null;

  const nearest = (event) => {
    if (!x || !line.length) return null;
    const at = chart.pointerX(event);
    return line.reduce((best, node, i) => (Math.abs(x(i) - at) < Math.abs(x(best) - at) ? i : best), 0);
  };
  const jump = (event) => {
    const i = nearest(event);
    if (i !== null && line[i].id !== app.game.position?.node) app.ask({ type: "go", node: line[i].id });
  };
  chart.element.addEventListener("pointerdown", (event) => {
    // A synthetic pointer may be gone already; then there is nothing to hold on to.
    try { chart.element.setPointerCapture(event.pointerId); } catch { /* jump all the same */ }
    jump(event);
  });
  chart.element.addEventListener("pointermove", (event) => {
    if (event.buttons) jump(event);
    const i = nearest(event);
    setText(readout, i === null ? "" : describe(line[i], valueOf(app.game, line[i])));
  });
  chart.element.addEventListener("pointerleave", () => setText(readout, hereText()));

  const hereText = () => {
    const node = app.game.node();
    const value = node && valueOf(app.game, node);
    return value ? judgement(value) : "";
  };

  function draw() {
    line = app.game.line();
    const values = line.map((node) => valueOf(app.game, node));
    const known = values.flatMap((value, i) => (value ? [{ i, ...value }] : []));
    x = chart.xScale(0, Math.max(LEAST_MOVES, line.length - 1));
    const isLead = app.settings.get("series") === "lead";
    series.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.series === app.settings.get("series"))));
    const reach = Math.max(LEAST_SCORE, ...known.map((value) => Math.abs(value.lead))) * 1.1;
    const [low, middle, high] = isLead ? [-reach, 0, reach] : [0, 0.5, 1];
    const y = chart.yScale(low, high);
    const at = (value) => y(isLead ? value.lead : value.win);
    const marks = isLead ? ticks(-reach, reach, 4) : [0, 0.25, 0.5, 0.75, 1];
    const name = (value) => (isLead ? (value === 0 ? "0" : leadText(value).replace(/\.0$/, "")) : String(100 * value));
    const { left, right, top, bottom } = chart.inner;
    const here = line.findIndex((node) => node.id === app.game.position?.node);
    chart.put(
      svg("rect", { class: isLead ? "plain even-ground" : "plain", x: left, y: top, width: right - left, height: bottom - top }),
      // Above the middle Black leads and the ground is dark, below it White's is light; chances are Black's share from the bottom up.
      isLead ? ["black", "white"].map((color) => area(leadOf(color, known), x, y, 0)) : area({ color: "black", points: known.map((v) => [v.i, v.win]) }, x, y, low),
      marks.map((value) => svg("path", { class: value === middle ? "half" : "rule", d: `M${left} ${y(value)}H${right}` })),
      marks.map((value) => text(left - 4, y(value) + 4, name(value), "tick", "end")),
      ticks(0, Math.max(LEAST_MOVES, line.length - 1), 5).map((n) => text(x(n), chart.height - 4, String(n), "tick")),
      svg("path", { class: "score-line", d: path(known.map((v) => [x(v.i), at(v)])) }),
      line.map((node, i) => mistakeDot(node, x(i), bottom)),
      here >= 0 ? svg("path", { class: "now", d: `M${x(here)} ${top}V${bottom}` }) : null,
    );
    setText(readout, hereText());
  }
  chart.redraw = draw;

  return {
    element,
    update(changed) {
      // In a game with the engine nobody is told how it stands, unless the teacher is on or somebody looks for it.
      const { status, info } = app.game;
      const isSecret = app.settings.get("tab") === "play" && status?.phase === "playing" && app.game.humanColor() !== "both" && !status.teacher;
      element.hidden = !info || isSecret || !hasGraph(app.game);
      if (element.hidden) return;
      // The graph itself may lag behind a running analysis; what it says about this move may not.
      if (changed.has("analysis") && !chart.element.matches(":hover")) setText(readout, hereText());
      const isNew = ["game", "nodes", "position", "settings"].some((topic) => changed.has(topic));
      if (isNew || (changed.has("analysis") && !chart.mayRest(app.game.analysis?.is_running))) draw();
    },
  };
}

/** The points of one player's lead, with those where it begins and ends. */
function leadOf(color, known) {
  const points = known.flatMap((v, k) => {
    const last = known[k - 1];
    const crosses = last && last.lead * v.lead < 0;
    return crosses ? [[last.i + ((v.i - last.i) * last.lead) / (last.lead - v.lead), 0], [v.i, v.lead]] : [[v.i, v.lead]];
  });
  return { color, points: points.map(([i, lead]) => [i, color === "black" ? Math.max(0, lead) : Math.min(0, lead)]) };
}

function area({ color, points }, x, y, base) {
  if (points.length < 2) return null;
  const outline = [[points[0][0], base], ...points, [points.at(-1)[0], base]];
  return svg("path", { class: `share ${color}`, d: `${path(outline.map(([i, value]) => [x(i), y(value)]))}Z` });
}

/** Two judged positions make a line. */
export function hasGraph(game) {
  return game.line().filter((node) => valueOf(game, node)).length > 1;
}

/** What is known of a node: its stored judgement, or the live analysis if that is about it. */
function valueOf(game, node) {
  const { analysis } = game;
  if (analysis?.node === node.id) return { win: analysis.black_win, lead: analysis.black_lead };
  return node.eval ? { win: node.eval.black_win, lead: node.eval.black_lead } : null;
}

function describe(node, value) {
  const move = t("graph.move", { number: node.number });
  return value ? `${move} · ${judgement(value)}` : move;
}

function judgement(value) {
  return `${t("graph.black", { rate: percent(value.win, 0) })} · ${leadText(value.lead)}`;
}

function mistakeDot(node, x, bottom) {
  const quality = node.lost === undefined ? 0 : qualityOfLoss(node.lost);
  return quality >= MISTAKE ? svg("circle", { class: `dot quality-${quality}`, cx: x, cy: bottom - 4, r: 3.2 }) : null;
}
