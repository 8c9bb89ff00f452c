// The stones. Only points that changed are touched, so a move costs one element and not the whole board.

import { svg } from "../dom.js";

export const STONE_RADIUS = 19;

/** Paint shared by all stones: slate and shell lit from the upper left, and one soft shadow. */
export function stonePaint() {
  const gradient = (id, classes) =>
    svg(
      "radialGradient",
      { id, cx: 0.5, cy: 0.5, r: 0.72, fx: 0.33, fy: 0.27 },
      classes.map(([offset, name]) => svg("stop", { offset, class: name })),
    );
  return svg(
    "defs",
    {},
    gradient("slate", [[0, "slate-light"], [0.45, "slate-middle"], [1, "slate-deep"]]),
    gradient("shell", [[0, "shell-light"], [0.55, "shell-middle"], [1, "shell-deep"]]),
    svg(
      "radialGradient",
      { id: "shadow" },
      svg("stop", { offset: 0.72, "stop-color": "#000", "stop-opacity": 0.42 }),
      svg("stop", { offset: 1, "stop-color": "#000", "stop-opacity": 0 }),
    ),
  );
}

export function stoneShape(color, shadow = true) {
  return [
    shadow ? svg("circle", { class: "shadow", cx: 1.6, cy: 2.6, r: STONE_RADIUS + 2, fill: "url(#shadow)" }) : null,
    svg("circle", { class: `body ${color}`, r: STONE_RADIUS, fill: color === "black" ? "url(#slate)" : "url(#shell)" }),
  ];
}

export class Stones {
  constructor(layer) {
    this.layer = layer;
    this.shown = new Map();
  }

  clear() {
    this.layer.replaceChildren();
    this.shown.clear();
  }

  /** `stones[point]` is "black", "white" or null; `dead` a set of points drawn faded. `fresh` is set down with a small motion. */
  draw(geometry, stones, dead, fresh) {
    for (let point = 0; point < stones.length; point++) {
      const color = stones[point];
      const before = this.shown.get(point);
      if (before && before.color !== color) {
        before.element.remove();
        this.shown.delete(point);
      }
      if (color && before?.color !== color) {
        const element = svg(
          "g",
          { class: point === fresh ? "stone fresh" : "stone", transform: `translate(${geometry.x(point)} ${geometry.y(point)})` },
          stoneShape(color),
        );
        element.dataset.point = point;
        element.dataset.color = color;
        this.layer.append(element);
        this.shown.set(point, { color, element });
      }
      this.shown.get(point)?.element.classList.toggle("dead", dead.has(point));
    }
  }
}
