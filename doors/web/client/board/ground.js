// What never moves: wood, lines, star points, coordinates. A picture of its own under the stones, so that live
// analysis never makes the browser paint the wood again.

import { svg } from "../dom.js";
import { CELL, COLUMNS, starPoints } from "./geometry.js";

// As the board's border-radius in the style sheet.
const ROUNDNESS = 0.008;

export function drawGround(root, geometry, coordinates) {
  const { size, margin, span, extent } = geometry;
  const round = extent * ROUNDNESS;
  // A small board is shown larger, so its lines and letters are drawn finer.
  root.style.setProperty("--fine", (0.5 + (0.5 * size) / 19).toFixed(2));
  root.replaceChildren(
    svg(
      "defs",
      {},
      svg(
        "linearGradient",
        { id: "wood", x1: 0, y1: 0, x2: 1, y2: 1 },
        svg("stop", { offset: 0, class: "wood-light" }),
        svg("stop", { offset: 0.55, class: "wood-middle" }),
        svg("stop", { offset: 1, class: "wood-deep" }),
      ),
      svg("clipPath", { id: "wood-edge" }, svg("rect", { width: extent, height: extent, rx: round })),
    ),
    svg("rect", { width: extent, height: extent, rx: round, fill: "url(#wood)" }),
    svg("g", { class: "grain", "clip-path": "url(#wood-edge)" }, grain(extent)),
    svg("path", { class: "grid", d: gridLines(size, margin, span) }),
    svg("rect", { class: "grid-edge", x: margin, y: margin, width: span, height: span }),
    ...starPoints(size).map((point) => svg("circle", { class: "star", cx: geometry.x(point), cy: geometry.y(point), r: 3.6 })),
    ...(coordinates ? labels(size, margin, extent) : []),
  );
}

function gridLines(size, margin, span) {
  let path = "";
  for (let i = 1; i < size - 1; i++) {
    const at = margin + i * CELL;
    path += `M${margin} ${at}h${span}M${at} ${margin}v${span}`;
  }
  return path;
}

/** Year rings of a straight-grained board: gentle waves from top to bottom, always the same. */
function grain(extent) {
  let seed = 7;
  const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const rings = [];
  for (let x = -10; x < extent + 10; x += 7 + chance() * 17) {
    const sway = () => x + (chance() - 0.5) * 14;
    const third = extent / 3;
    rings.push(
      svg("path", {
        d: `M${x} -2C${sway()} ${third} ${sway()} ${2 * third} ${x + (chance() - 0.5) * 10} ${extent + 2}`,
        "stroke-width": (0.8 + chance() * 2.4).toFixed(2),
        "stroke-opacity": (0.015 + chance() * 0.04).toFixed(3),
      }),
    );
  }
  return rings;
}

function labels(size, margin, extent) {
  const texts = [];
  const label = (x, y, text) => texts.push(svg("text", { class: "coordinate", x, y, dy: "0.35em" }, text));
  const edge = margin * 0.37;
  for (let i = 0; i < size; i++) {
    const at = margin + i * CELL;
    label(at, edge, COLUMNS[i]);
    label(at, extent - edge, COLUMNS[i]);
    label(edge, at, String(size - i));
    label(extent - edge, at, String(size - i));
  }
  return texts;
}
