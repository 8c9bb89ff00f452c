// A small picture of a position, with or without who owns what.

import { svg } from "../dom.js";

/** `stones` as the wire writes them, row by row; `ownership` from -1 to 1, or nothing; `ring` around one point, or null. */
export function miniBoard(size, stones, ownership = [], ring = null) {
  const owned = [];
  // All stones of a colour are the round dots of one path: a page of sixty boards is built in no time.
  const dots = { X: "", O: "" };
  [...stones].forEach((sign, point) => {
    const [x, y] = [point % size, Math.floor(point / size)];
    const owner = ownership[point] ?? 0;
    if (Math.abs(owner) > 0.2) {
      owned.push(svg("rect", { class: owner > 0 ? "owned-black" : "owned-white", x, y, width: 1, height: 1, "fill-opacity": (0.55 * Math.abs(owner)).toFixed(2) }));
    }
    if (sign in dots) dots[sign] += `M${x + 0.5} ${y + 0.5}h0`;
  });
  let lines = "";
  for (let i = 0; i < size; i++) lines += `M0.5 ${i + 0.5}h${size - 1}M${i + 0.5} 0.5v${size - 1}`;
  return svg("svg", { class: "mini-board", viewBox: `0 0 ${size} ${size}`, "aria-hidden": "true" },
    svg("rect", { class: "mini-wood", width: size, height: size }), svg("path", { class: "mini-lines", d: lines }), owned,
    ["mini-black", "mini-rim", "mini-white"].map((name) => svg("path", { class: name, d: dots[name === "mini-black" ? "X" : "O"] })),
    ring === null ? null : svg("circle", { class: "mini-ring", cx: (ring % size) + 0.5, cy: Math.floor(ring / size) + 0.5, r: 0.5 }));
}
