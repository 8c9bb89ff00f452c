// A small picture of a position, with or without who owns what.

import { svg } from "../dom.js";

/** `stones` as the wire writes them, row by row; `ownership` from -1 to 1, or nothing. */
export function miniBoard(size, stones, ownership = []) {
  const cells = [];
  [...stones].forEach((sign, point) => {
    const [x, y] = [(point % size) + 0.5, Math.floor(point / size) + 0.5];
    const owned = ownership[point] ?? 0;
    if (Math.abs(owned) > 0.2) {
      cells.push(svg("rect", { class: owned > 0 ? "owned-black" : "owned-white", x: x - 0.5, y: y - 0.5, width: 1, height: 1, "fill-opacity": (0.55 * Math.abs(owned)).toFixed(2) }));
    }
    if (sign !== ".") cells.push(svg("circle", { class: sign === "X" ? "mini-black" : "mini-white", cx: x, cy: y, r: 0.44 }));
  });
  let lines = "";
  for (let i = 0; i < size; i++) lines += `M0.5 ${i + 0.5}h${size - 1}M${i + 0.5} 0.5v${size - 1}`;
  return svg("svg", { class: "mini-board", viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" },
    svg("rect", { class: "mini-wood", width: size, height: size }), svg("path", { class: "mini-lines", d: lines }), cells);
}
