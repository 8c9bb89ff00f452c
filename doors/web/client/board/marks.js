// Signs on stones and points: last move, move numbers, what the next moves of the record are, SGF's own marks.

import { svg } from "../dom.js";

/** Draws what `position_view.js` found worth a sign. */
export function drawMarks(layer, geometry, view) {
  const marks = [];
  const place = (point, props = {}) => ({ ...props, transform: `translate(${geometry.x(point)} ${geometry.y(point)})` });
  for (const [point, color] of view.territory ?? []) {
    marks.push(svg("rect", place(point, { class: `territory ${color}`, x: -6.5, y: -6.5, width: 13, height: 13, rx: 1.5 })));
  }
  if (view.numbers) {
    for (const [point, number] of view.numbers) {
      const color = view.stones[point];
      if (!color) continue;
      const newest = point === view.lastMove ? " newest" : "";
      marks.push(svg("text", place(point, { class: `number on-${color}${newest}`, dy: "0.36em" }), String(number)));
    }
  } else if (view.lastMove !== null && view.stones[view.lastMove]) {
    const judged = view.quality === null ? "" : ` judged quality-${view.quality}`;
    marks.push(svg("circle", place(view.lastMove, { class: `last on-${view.stones[view.lastMove]}${judged}`, r: 8.5 })));
  }
  for (const [point, quality] of view.verdicts) {
    if (view.stones[point]) marks.push(svg("circle", place(point, { class: `verdict quality-${quality}`, r: 4.6 })));
  }
  if (view.ko !== null && view.ko !== undefined) {
    marks.push(svg("rect", place(view.ko, { class: "ko", x: -8, y: -8, width: 16, height: 16 })));
  }
  if (view.better !== null) marks.push(svg("circle", place(view.better, { class: "better", r: 9 })));
  for (const point of view.hint?.area ?? []) marks.push(svg("rect", place(point, { class: "hint-area", x: -20, y: -20, width: 40, height: 40 })));
  for (const point of view.hint?.moves ?? []) marks.push(svg("circle", place(point, { class: "hint-move", r: 15 })));
  if (view.marks) marks.push(...recordMarks(geometry, view, place));
  for (const point of view.next ?? []) {
    marks.push(svg("circle", place(point, { class: "next", r: 17 })));
  }
  layer.replaceChildren(...marks);
}

const SHAPES = {
  triangle: () => svg("path", { d: "M0 -11L9.5 5.5H-9.5Z" }),
  square: () => svg("rect", { x: -7.5, y: -7.5, width: 15, height: 15 }),
  circle: () => svg("circle", { r: 9 }),
  cross: () => svg("path", { d: "M-7.5 -7.5L7.5 7.5M7.5 -7.5L-7.5 7.5" }),
  selected: () => svg("rect", { x: -5.5, y: -5.5, width: 11, height: 11, class: "solid" }),
  dim: () => svg("rect", { x: -20, y: -20, width: 40, height: 40, class: "dim" }),
  black_territory: () => svg("rect", { x: -5, y: -5, width: 10, height: 10, class: "territory black" }),
  white_territory: () => svg("rect", { x: -5, y: -5, width: 10, height: 10, class: "territory white" }),
};
const ARROW_HEAD = 9;

/** What the record itself marks: signs, letters, lines and arrows, and points it wants dimmed. */
function recordMarks(geometry, view, place) {
  const ground = (point) => `on-${view.stones[point] ?? "wood"}`;
  const signs = view.marks.signs.map(([point, kind]) => svg("g", place(point, { class: `sign ${kind} ${ground(point)}` }), SHAPES[kind]()));
  const labels = view.marks.labels.map(([point, text]) =>
    svg("g", place(point, { class: `label ${ground(point)}` }),
      // On bare wood the lines would run through the letter.
      view.stones[point] ? null : svg("circle", { class: "plate", r: 12 }),
      svg("text", { dy: "0.36em", class: text.length > 2 ? "long" : "" }, text)));
  const lines = view.marks.lines.map(([from, to, isArrow]) => svg("path", { class: "stroke", d: stroke(geometry, from, to, isArrow) }));
  return [...signs, ...lines, ...labels];
}

function stroke(geometry, from, to, isArrow) {
  const [x, y, tx, ty] = [geometry.x(from), geometry.y(from), geometry.x(to), geometry.y(to)];
  const line = `M${x} ${y}L${tx} ${ty}`;
  if (!isArrow) return line;
  const angle = Math.atan2(ty - y, tx - x);
  const side = (turn) => `L${(tx - ARROW_HEAD * Math.cos(angle + turn)).toFixed(1)} ${(ty - ARROW_HEAD * Math.sin(angle + turn)).toFixed(1)}`;
  return `${line}${side(0.5)}M${tx} ${ty}${side(-0.5)}`;
}
