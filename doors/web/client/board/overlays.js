// Values painted on points: who will own them, where the net would play, which points decide the game.

import { svg, setText } from "../dom.js";
import { CELL } from "./geometry.js";

/** One overlay kind says how a value looks: a class for its colour, a size from 0 to 1, and a short text. */
const KINDS = {
  // The evaluation value of paper 004: -10 is surely White's, 10 surely Black's.
  ownership: (value) => ({
    tint: value > 0 ? "owned-black" : "owned-white",
    size: Math.sqrt(Math.abs(value)),
    text: String(Math.round(10 * Math.abs(value))),
  }),
  policy: (value) => ({ tint: "policy", size: Math.min(1, 0.25 + Math.sqrt(value)), text: String(Math.round(100 * value)) }),
  criticality: (value) => ({ tint: "critical", size: Math.min(1, 0.2 + value * 1.6), text: String(Math.round(100 * value)) }),
};
const LEAST_SHOWN = { ownership: 0.15, policy: 0.005, criticality: 0.03 };

export class Overlay {
  constructor(layer) {
    this.layer = layer;
    this.cells = new Map();
    this.kind = null;
  }

  clear() {
    this.layer.replaceChildren();
    this.cells.clear();
    this.kind = null;
  }

  /** `stones` as the board shows them: a stone that belongs to its own side is no news. */
  draw(geometry, kind, values, stones) {
    if (kind !== this.kind) this.clear();
    this.kind = kind;
    values.forEach((value, point) => {
      const visible = Math.abs(value) >= LEAST_SHOWN[kind];
      let cell = this.cells.get(point);
      if (!visible) {
        cell?.root.remove();
        this.cells.delete(point);
        return;
      }
      if (!cell) {
        const mark = svg(kind === "ownership" ? "rect" : "circle", {});
        const text = svg("text", { class: "value", dy: "0.36em" });
        const root = svg("g", { transform: `translate(${geometry.x(point)} ${geometry.y(point)})` }, mark, text);
        cell = { root, mark, text };
        this.cells.set(point, cell);
        this.layer.append(root);
      }
      const look = KINDS[kind](value);
      const settled = kind === "ownership" && stones[point] === (value > 0 ? "black" : "white") ? " settled" : "";
      cell.root.setAttribute("class", `cell ${look.tint}${settled}`);
      sizeMark(cell.mark, kind, look.size);
      setText(cell.text, look.text);
    });
  }
}

function sizeMark(mark, kind, size) {
  if (kind === "ownership") {
    const side = CELL * 0.62 * size;
    mark.setAttribute("x", (-side / 2).toFixed(1));
    mark.setAttribute("y", (-side / 2).toFixed(1));
    mark.setAttribute("width", side.toFixed(1));
    mark.setAttribute("height", side.toFixed(1));
  } else {
    mark.setAttribute("r", (CELL * 0.46 * size).toFixed(1));
  }
}
