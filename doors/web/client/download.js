// Out of the browser: the record as an annotated SGF, the board as SVG or PNG.

import { svg } from "./dom.js";

// What style sheets give the board and a picture on its own must carry along.
const PAINT = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap", "opacity", "stop-color",
  "stop-opacity", "font-family", "font-size", "font-weight", "text-anchor", "display",
];
const PNG_WIDTH = 1600;

export async function saveRecord(app) {
  const record = await app.askFor({ type: "sgf", annotated: true }, "sgf");
  if (record) offer(new Blob([record.text], { type: "application/x-go-sgf" }), `${fileName(record.name)}.sgf`);
}

export async function savePicture(app, kind) {
  const text = boardPicture(app.board);
  const name = `${fileName(app.game.info?.name ?? "board")}-${app.game.position?.number ?? 0}`;
  const picture = new Blob([text], { type: "image/svg+xml" });
  if (kind === "svg") return offer(picture, `${name}.svg`);
  offer(await painted(picture), `${name}.png`);
}

/** The board as one SVG document that needs no style sheet. */
export function boardPicture(board) {
  const extent = board.geometry.extent;
  const root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${extent} ${extent}`, width: extent, height: extent });
  for (const part of board.pictures) {
    for (const child of part.children) {
      if (["hover", "cursor"].includes(child.getAttribute("class"))) continue;
      const copy = child.cloneNode(true);
      carryPaint(child, copy);
      root.append(copy);
    }
  }
  return new XMLSerializer().serializeToString(root);
}

function carryPaint(original, copy) {
  const look = getComputedStyle(original);
  for (const property of PAINT) {
    const value = look.getPropertyValue(property);
    if (value && !copy.getAttribute(property)?.startsWith("url(")) copy.setAttribute(property, value);
  }
  copy.removeAttribute("class");
  [...original.children].forEach((child, i) => carryPaint(child, copy.children[i]));
}

/** The graph as one picture. */
export async function saveGraph(app) {
  const chart = document.querySelector(".game-graph");
  const box = chart?.viewBox.baseVal;
  if (!box?.width) return;
  const picture = new Blob([chartPicture(chart)], { type: "image/svg+xml" });
  offer(await painted(picture, box.height / box.width, getComputedStyle(document.body).backgroundColor), `${fileName(app.game.info?.name ?? "graph")}.png`);
}

/** A graph as an SVG document that needs no style sheet. Where its reader happens to look is no part of it. */
export function chartPicture(chart) {
  const box = chart.viewBox.baseVal;
  const copy = chart.cloneNode(true);
  const cursor = copy.querySelector(".now");
  [...chart.children].forEach((child, i) => carryPaint(child, copy.children[i]));
  cursor?.remove();
  for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width: box.width, height: box.height })) copy.setAttribute(name, value);
  return new XMLSerializer().serializeToString(copy);
}

/** `shape`: height by width; `ground`: a colour behind what is not a whole picture by itself. */
async function painted(picture, shape = 1, ground = null) {
  const image = new Image();
  const address = URL.createObjectURL(picture);
  image.src = address;
  await image.decode();
  URL.revokeObjectURL(address);
  const canvas = document.createElement("canvas");
  canvas.width = PNG_WIDTH;
  canvas.height = Math.round(PNG_WIDTH * shape);
  const context = canvas.getContext("2d");
  if (ground) context.fillStyle = ground;
  if (ground) context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

export function offer(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export function fileName(text) {
  return text.replace(/[^\p{L}\p{N} ._-]+/gu, "").trim() || "jigo";
}
