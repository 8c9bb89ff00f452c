// The game as a tree of small stones: main line on top, variations below, the cursor always in view.

import { h, svg } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { buttonRow } from "../button.js";
import { qualityOfLoss, MISTAKE } from "../quality.js";

const STEP = 22;
const RADIUS = 7;

export function treePanel(app) {
  const picture = svg("svg", { class: "tree-picture" });
  const scroller = h("div", { class: "tree-scroll", tabIndex: 0, role: "application", "aria-label": t("tree.label") }, picture);
  const tools = buttonRow(app, { edit: { icon: "pencil" }, promote: { isShy: true }, deleteBranch: { icon: "trash", isShy: true } }, "row small");
  const branch = h("section", { class: "tree" }, h("h3", {}, t("panel.tree")), scroller, tools.element);
  let drawn = "";
  let places = new Map();

  picture.addEventListener("click", (event) => {
    const id = event.target.closest("[data-node]")?.dataset.node;
    if (id !== undefined) app.ask({ type: "go", node: Number(id) });
  });

  const STEPS = { ArrowLeft: { by: -1 }, ArrowRight: { by: 1 }, ArrowUp: { to: "up" }, ArrowDown: { to: "down" }, Home: { to: "first" }, End: { to: "last" } };
  scroller.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    app.ask({ type: "go", ...step });
  });

  function draw() {
    const { nodes } = app.game;
    const signature = [...nodes.values()].map((node) => `${node.id}.${node.parent}.${node.children.length}.${node.class ?? ""}.${node.comment ? 1 : 0}`).join();
    if (signature === drawn) return;
    drawn = signature;
    places = layOut(nodes);
    const spots = [...places.values()];
    const width = (Math.max(0, ...spots.map((spot) => spot.column)) + 1) * STEP;
    const height = (Math.max(0, ...spots.map((spot) => spot.row)) + 1) * STEP;
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    picture.setAttribute("width", width);
    picture.setAttribute("height", height);
    const links = svg("path", { class: "links", d: [...nodes.values()].map((node) => link(places, node)).join("") });
    picture.replaceChildren(links, ...[...nodes.values()].map((node) => stone(node, places.get(node.id))));
  }

  function mark() {
    picture.querySelector(".here")?.classList.remove("here");
    const spot = places.get(app.game.position?.node);
    if (!spot) return;
    picture.querySelector(`[data-node="${app.game.position.node}"]`)?.classList.add("here");
    const x = (spot.column + 0.5) * STEP;
    const y = (spot.row + 0.5) * STEP;
    if (x < scroller.scrollLeft + STEP || x > scroller.scrollLeft + scroller.clientWidth - STEP) scroller.scrollLeft = x - scroller.clientWidth / 2;
    if (y < scroller.scrollTop + STEP || y > scroller.scrollTop + scroller.clientHeight - STEP) scroller.scrollTop = y - scroller.clientHeight / 2;
  }

  return {
    element: branch,
    update(changed) {
      branch.hidden = app.game.nodes.size < 2;
      if (branch.hidden) return;
      tools.update();
      if (changed.has("game") || changed.has("nodes") || changed.has("settings")) draw();
      mark();
    },
  };
}

/** A row and a column for every node. A variation takes the first row that is free from its start to its end. */
function layOut(nodes) {
  const places = new Map();
  const filled = [];
  const root = [...nodes.values()].find((node) => node.parent === null);
  const starts = root ? [{ node: root, column: 0, atLeast: 0 }] : [];
  while (starts.length) {
    const { node: first, column, atLeast } = starts.pop();
    const line = [];
    for (let node = first; node; node = nodes.get(node.children[0])) line.push(node);
    let row = atLeast;
    while ((filled[row] ?? Infinity) <= column + line.length) row += 1;
    // Lines are placed from the end of the game backwards, so a row is free to the left of what it holds.
    filled[row] = column === 0 ? -1 : column - 1;
    line.forEach((node, i) => places.set(node.id, { row, column: column + i }));
    line.forEach((node, i) => {
      for (const id of node.children.slice(1).reverse()) starts.push({ node: nodes.get(id), column: column + i + 1, atLeast: row + 1 });
    });
  }
  return places;
}

function link(places, node) {
  const from = places.get(node.parent);
  const to = places.get(node.id);
  if (!from || !to) return "";
  const at = (n) => (n + 0.5) * STEP;
  const corner = to.row > from.row ? `V${at(to.row - 1)}` : "";
  return `M${at(from.column)} ${at(from.row)}${corner}L${at(to.column)} ${at(to.row)}`;
}

function stone(node, { row, column }) {
  const mistake = node.lost !== undefined && qualityOfLoss(node.lost) >= MISTAKE ? ` quality-${qualityOfLoss(node.lost)}` : "";
  const place = `translate(${(column + 0.5) * STEP} ${(row + 0.5) * STEP})`;
  const group = svg(
    "g",
    { class: `tree-node ${node.color ?? "root"}${mistake}`, transform: place },
    svg("circle", { class: "reach", r: STEP / 2 }),
    svg("circle", { class: "face", r: RADIUS }),
    node.comment ? svg("circle", { class: "has-comment", cx: RADIUS - 1, cy: -RADIUS + 1, r: 2.4 }) : null,
    svg("title", {}, `${node.number} ${node.move ?? ""}`),
  );
  group.dataset.node = node.id;
  return group;
}
