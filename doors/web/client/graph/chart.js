// What all graphs share: a picture as wide as its panel, a frame inside it, and scales from values to places.

import { setAttribute, setText, svg } from "../dom.js";

const LIVE_PACE = 1000;

export class Chart {
  constructor(className, height, margin) {
    this.height = height;
    this.margin = { top: 8, right: 8, bottom: 18, left: 42, ...margin };
    this.width = 320;
    this.drawnAt = 0;
    this.element = svg("svg", { class: `chart ${className}`, height, role: "img" });
    this.redraw = () => {};
    new ResizeObserver(([entry]) => {
      const width = Math.round(entry.contentRect.width);
      if (width < 10 || width === this.width) return;
      this.width = width;
      this.redraw();
    }).observe(this.element);
  }

  /** While the engine thinks, its numbers tremble several times a second; a graph follows once a second. */
  mayRest(isRunning) {
    const now = performance.now();
    if (isRunning && now - this.drawnAt < LIVE_PACE) return true;
    this.drawnAt = now;
    return false;
  }

  get inner() {
    const { top, right, bottom, left } = this.margin;
    return { left, top, right: this.width - right, bottom: this.height - bottom };
  }

  /** A function from the values `from..to` to x places. */
  xScale(from, to) {
    const { left, right } = this.inner;
    return (value) => left + ((value - from) / (to - from || 1)) * (right - left);
  }

  yScale(from, to) {
    const { top, bottom } = this.inner;
    return (value) => bottom - ((value - from) / (to - from || 1)) * (bottom - top);
  }

  put(...children) {
    setAttribute(this.element, "viewBox", `0 0 ${this.width} ${this.height}`);
    become(this.element, children.flat(Infinity).filter(Boolean));
  }

  /** The x in picture units where the pointer is. */
  pointerX(event) {
    const box = this.element.getBoundingClientRect();
    return ((event.clientX - box.left) / box.width) * this.width;
  }
}

/** Makes the children of `parent` look like `wanted`, touching only what differs: a live graph costs one path, not all its axes. */
function become(parent, wanted) {
  wanted.forEach((next, i) => {
    const now = parent.children[i];
    if (!now) return parent.append(next);
    if (now.tagName !== next.tagName) return now.replaceWith(next);
    for (const { name, value } of [...next.attributes]) setAttribute(now, name, value);
    setText(now, next.textContent);
  });
  while (parent.children.length > wanted.length) parent.lastChild.remove();
}

export function path(points) {
  return points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

/** Round steps for an axis: at most `most` of them between `from` and `to`. */
export function ticks(from, to, most) {
  const rough = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1e-9)));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough);
  const result = [];
  for (let value = Math.ceil(from / step) * step; value <= to + 1e-9; value += step) result.push(Math.round(value * 1e6) / 1e6);
  return result;
}

export function text(x, y, content, className, anchor = "middle") {
  return svg("text", { x, y, class: className, "text-anchor": anchor }, content);
}
