// Values painted on points: who will own them, where the net would play, which points decide the game.

import { svg, setText } from "../dom.js";
import { CELL } from "./geometry.js";

/**
 * How a value of each kind looks: a class for its colour, a size from 0 to 1 (nothing is drawn at 0), and a short text.
 * `scale` is what all values of the board have in common.
 */
const KINDS = {
  // The evaluation value (docs/papers.md): -10 is surely White's, 10 surely Black's.
  ownership: (value) => ({
    tint: value > 0 ? "owned-black" : "owned-white",
    size: Math.abs(value) < 0.15 ? 0 : Math.sqrt(Math.abs(value)),
    text: String(Math.round(10 * Math.abs(value))),
  }),
  policy: (value, scale) => ({
    tint: "policy",
    size: value < 0.005 ? 0 : 0.4 + 0.6 * Math.sqrt(value / scale.most),
    text: String(Math.round(100 * value)),
  }),
  // Every point is a little critical; only those that stand out decide anything.
  criticality: (value, scale) => ({
    tint: "critical",
    size: value < LEAST_CRITICAL || value < scale.outstanding || value < scale.most / 2 ? 0 : value / scale.most,
    text: String(Math.round(100 * value)),
  }),
};

const LEAST_CRITICAL = 0.04;
/** Standard deviations above the mean of the board from which a value stands out. */
const OUTSTANDING = 1.5;

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
    const scale = scaleOf(values);
    values.forEach((value, point) => {
      const look = KINDS[kind](value, scale);
      // Steps that the eye does not miss spare the browser most of the work.
      look.size = Math.round(look.size * 16) / 16;
      let cell = this.cells.get(point);
      if (look.size === 0) {
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
      const settled = kind === "ownership" && stones[point] === (value > 0 ? "black" : "white") ? " settled" : "";
      const signature = `${look.tint}${settled} ${look.size} ${look.text}`;
      if (cell.signature === signature) return;
      cell.signature = signature;
      cell.root.setAttribute("class", `cell ${look.tint}${settled}`);
      sizeMark(cell.mark, kind, look.size);
      setText(cell.text, look.text);
    });
  }
}

function scaleOf(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const spread = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return { most: Math.max(...values), outstanding: mean + OUTSTANDING * spread };
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
