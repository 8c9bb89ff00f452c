// The engine's best moves on the board: a disc per move, coloured by quality, with win rate and score; and the variation behind a
// move as numbered ghost stones. How often a move was simulated is in the table beside the board.

import { svg, setAttribute, setText } from "../dom.js";
import { qualityOfLoss } from "../quality.js";
import { percent, signed } from "../numbers.js";
import { STONE_RADIUS, stoneShape } from "./stones.js";

const MOST_SHOWN = 16;

/** Moves that were looked at seriously enough to be worth a disc. */
export function worthShowing(moves) {
  const best = moves[0]?.visits ?? 0;
  return moves.filter((move, i) => i === 0 || move.visits >= Math.max(2, best * 0.01)).slice(0, MOST_SHOWN);
}

export class Candidates {
  constructor(layer) {
    this.layer = layer;
    this.discs = new Map();
  }

  clear() {
    this.layer.replaceChildren();
    this.discs.clear();
  }

  /** `roomy`: the cells are large enough on this screen for two lines of text. */
  draw(geometry, moves, roomy) {
    const shown = worthShowing(moves).filter((move) => move.point !== null);
    const points = new Set(shown.map((move) => move.point));
    for (const [point, disc] of this.discs) {
      if (points.has(point)) continue;
      disc.root.remove();
      this.discs.delete(point);
    }
    const most = Math.max(1, ...shown.map((move) => move.visits));
    for (const move of shown) this.drawDisc(geometry, move, most, roomy);
  }

  drawDisc(geometry, move, most, roomy) {
    let disc = this.discs.get(move.point);
    if (!disc) {
      disc = newDisc();
      disc.root.setAttribute("transform", `translate(${geometry.x(move.point)} ${geometry.y(move.point)})`);
      disc.root.dataset.point = move.point;
      this.discs.set(move.point, disc);
      this.layer.append(disc.root);
    }
    const quality = qualityOfLoss(move.pointsLost);
    setAttribute(disc.root, "class", `candidate quality-${quality}${move.order === 0 ? " best" : ""}${roomy ? "" : " terse"}`);
    setAttribute(disc.face, "fill-opacity", (0.5 + 0.45 * Math.sqrt(move.visits / most)).toFixed(1));
    setText(disc.rate, percent(move.winRate, 0));
    // A disc has room for four signs, and of a large lead nobody wants the tenths.
    setText(disc.score, signed(move.score, Math.abs(move.score) < 9.95 ? 1 : 0));
  }
}

function newDisc() {
  const face = svg("circle", { class: "face", r: STONE_RADIUS });
  const rate = svg("text", { class: "rate", y: -0.5 });
  const score = svg("text", { class: "score", y: 11.5 });
  // Something solid below the tinted face keeps the text readable over overlays.
  const back = svg("circle", { class: "back", r: STONE_RADIUS });
  return { root: svg("g", {}, back, face, rate, score), face, rate, score };
}

/** Draws a variation; `moves` are `{ point, color }` in order, passes with point null. A point played twice shows its first number. */
export function drawVariation(layer, geometry, moves) {
  const taken = new Set();
  const ghosts = [];
  moves.forEach(({ point, color }, i) => {
    if (point === null || taken.has(point)) return;
    taken.add(point);
    ghosts.push(
      svg(
        "g",
        { class: `ghost ${color}`, transform: `translate(${geometry.x(point)} ${geometry.y(point)})` },
        stoneShape(color),
        svg("text", { class: `number on-${color}`, dy: "0.36em" }, String(i + 1)),
      ),
    );
  });
  layer.replaceChildren(...ghosts);
}
