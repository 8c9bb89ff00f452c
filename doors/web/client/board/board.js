// The board a person sees and touches: layers from wood to cursor, and what pointer and keys mean on it. It knows no rules;
// it is shown a view and tells which point was chosen.

import { h, svg } from "../dom.js";
import { Geometry, pointName } from "./geometry.js";
import { drawGround } from "./ground.js";
import { Stones, stonePaint, stoneShape, STONE_RADIUS } from "./stones.js";
import { drawMarks } from "./marks.js";
import { Overlay } from "./overlays.js";
import { Candidates, drawVariation } from "./candidates.js";

// Below this many pixels a cell is too small for two lines of text, and for a finger to hit it without a second look.
const ROOMY_CELL = 30;
const FINGER_CELL = 26;

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  /** `events`: `choose(point)`, `hover(point or null)`, `refuse(point)`, `aim(point)` (a first touch), `say(text)` for a screen reader, and
   * `resize()` when there is room for more or less text on the board. */
  constructor(events, words) {
    this.events = events;
    this.words = words;
    // Three pictures on top of each other: live analysis repaints only the last, never wood or stones.
    this.ground = svg("svg", { class: "ground", "aria-hidden": "true" });
    this.standing = svg("svg", { class: "standing", "aria-hidden": "true" }, stonePaint());
    this.surface = svg("svg", { class: "surface", "aria-hidden": "true" });
    this.pictures = [this.ground, this.standing, this.surface];
    this.layers = { stones: svg("g", { class: "stones" }) };
    this.standing.append(this.layers.stones);
    for (const name of ["overlay", "marks", "candidates", "variation", "hover", "cursor"]) {
      this.layers[name] = svg("g", { class: name });
      this.surface.append(this.layers[name]);
    }
    this.element = h("div", { class: "board", tabIndex: 0, role: "application", "aria-label": words.label }, this.pictures);
    this.stones = new Stones(this.layers.stones);
    this.overlay = new Overlay(this.layers.overlay);
    this.candidates = new Candidates(this.layers.candidates);
    this.view = null;
    this.hovered = null;
    this.aimed = null;
    this.cursor = null;
    this.cellPixels = 40;
    this.isCramped = false;
    this.byFinger = false;
    this.listen();
  }

  /** Shows a position. See `position_view.js` for what a view holds. */
  show(view) {
    const grew = this.view?.size !== view.size || this.view?.coordinates !== view.coordinates;
    this.view = view;
    if (grew) this.layOut();
    this.stones.draw(this.geometry, view.stones, view.dead, view.fresh);
    drawMarks(this.layers.marks, this.geometry, view);
    this.aimed = null;
    this.drawHover();
  }

  showCandidates(moves) {
    if (!moves) return this.candidates.clear();
    this.candidates.draw(this.geometry, moves, !this.isCramped);
  }

  showOverlay(kind, values) {
    if (!kind) return this.overlay.clear();
    this.overlay.draw(this.geometry, kind, values, this.view.stones);
  }

  /** Ghost stones of a line; the discs step back so that only the line is seen. */
  showVariation(moves) {
    this.element.classList.toggle("in-variation", moves !== null);
    if (moves) drawVariation(this.layers.variation, this.geometry, moves);
    else this.layers.variation.replaceChildren();
  }

  layOut() {
    const { size, coordinates } = this.view;
    this.geometry = new Geometry(size, coordinates);
    drawGround(this.ground, this.geometry, coordinates);
    for (const picture of this.pictures) picture.setAttribute("viewBox", `0 0 ${this.geometry.extent} ${this.geometry.extent}`);
    this.stones.clear();
    this.overlay.clear();
    this.candidates.clear();
    this.layers.variation.replaceChildren();
    this.hovered = null;
    this.cursor = null;
    this.layers.cursor.replaceChildren();
    // Another board may come while the keyboard is already on this one.
    if (document.activeElement === this.element) this.showCursor();
    this.measure();
  }

  measure() {
    if (!this.geometry) return;
    const width = this.element.clientWidth || 1;
    this.cellPixels = (width * 40) / this.geometry.extent;
    const isCramped = this.cellPixels < ROOMY_CELL;
    if (isCramped === this.isCramped) return;
    this.isCramped = isCramped;
    this.events.resize();
  }

  listen() {
    const element = this.element;
    new ResizeObserver(() => this.measure()).observe(element);
    element.addEventListener("pointermove", (event) => event.pointerType !== "touch" && this.hover(this.pointOf(event)));
    element.addEventListener("pointerleave", () => this.hover(null));
    element.addEventListener("pointerdown", (event) => (this.byFinger = event.pointerType === "touch"));
    // A press must not give the board the keyboard: the arrow keys would stop to walk through the game.
    element.addEventListener("mousedown", (event) => event.preventDefault());
    element.addEventListener("click", (event) => this.press(this.pointOf(event)));
    element.addEventListener("keydown", (event) => this.key(event));
    element.addEventListener("focus", () => this.showCursor());
    element.addEventListener("blur", () => this.layers.cursor.replaceChildren());
  }

  pointOf(event) {
    if (!this.geometry) return null;
    const box = this.surface.getBoundingClientRect();
    const scale = this.geometry.extent / box.width;
    return this.geometry.at((event.clientX - box.left) * scale, (event.clientY - box.top) * scale);
  }

  hover(point) {
    if (point === this.hovered) return;
    this.hovered = point;
    this.drawHover();
    this.events.hover(point);
  }

  press(point) {
    if (point === null || !this.view) return;
    if (this.byFinger && this.view.mayPlay && this.cellPixels < FINGER_CELL && this.aimed !== point) {
      this.aimed = point;
      this.hovered = null;
      this.drawHover();
      this.events.hover(point);
      this.events.aim(point);
      return;
    }
    this.aimed = null;
    this.choose(point);
  }

  choose(point) {
    if (this.view.mayPlay && this.view.illegal.has(point) && !this.view.isEdited) this.events.refuse(point);
    else this.events.choose(point);
  }

  key(event) {
    if (!this.view || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = ARROWS[event.key];
    if (step) {
      const { size } = this.view;
      const clamp = (n) => Math.max(0, Math.min(size - 1, n));
      const column = clamp((this.cursor % size) + step[0]);
      const row = clamp(Math.floor(this.cursor / size) + step[1]);
      this.cursor = row * size + column;
      this.showCursor();
      this.events.hover(this.cursor);
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.cursor !== null) this.choose(this.cursor);
    } else if (event.key === "Escape") {
      this.events.hover(null);
      this.element.blur();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  showCursor() {
    if (!this.view) return;
    const { size, stones } = this.view;
    this.cursor ??= Math.floor(size / 2) * size + Math.floor(size / 2);
    // Only the keyboard needs a cursor; a pointer shows where it is by itself.
    if (!this.element.matches(":focus-visible")) return;
    const reach = STONE_RADIUS + 2;
    this.layers.cursor.replaceChildren(
      svg("rect", {
        transform: `translate(${this.geometry.x(this.cursor)} ${this.geometry.y(this.cursor)})`,
        x: -reach, y: -reach, width: 2 * reach, height: 2 * reach, rx: 5,
      }),
    );
    const content = this.words[stones[this.cursor] ?? "empty"];
    this.events.say(`${pointName(this.cursor, size)} ${content}`);
  }

  /** The stone that a click would set, or why none can be set. */
  drawHover() {
    const layer = this.layers.hover;
    const point = this.aimed ?? this.hovered;
    const view = this.view;
    this.element.classList.toggle("playable", Boolean(view?.mayPlay));
    this.element.classList.toggle("counting", Boolean(view?.counting));
    if (point === null || !view?.mayPlay || view.isEdited || view.stones[point]) return layer.replaceChildren();
    const place = `translate(${this.geometry.x(point)} ${this.geometry.y(point)})`;
    const shape = view.illegal.has(point)
      ? svg("path", { class: "forbidden", d: "M-9 -9L9 9M9 -9L-9 9", transform: place })
      : svg("g", { class: this.aimed === null ? "shade" : "shade aimed", transform: place }, stoneShape(view.toMove, false));
    layer.replaceChildren(shape);
  }
}
