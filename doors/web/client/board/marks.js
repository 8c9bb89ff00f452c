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
  for (const point of view.next ?? []) {
    marks.push(svg("circle", place(point, { class: "next", r: 17 })));
  }
  layer.replaceChildren(...marks);
}
