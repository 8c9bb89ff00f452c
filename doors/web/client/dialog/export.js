// Out of the browser, from one menu: the annotated record, a page to read, pictures of the board and of the graph.

import { h, icon } from "../dom.js";
import { gameName, t } from "../i18n/i18n.js";
import { chartPicture, fileName, offer, saveGraph, savePicture, saveRecord } from "../download.js";
import { leadText, percent } from "../numbers.js";
import { hasGraph } from "../graph/game_graph.js";
import { beforeAndAfter, leadsOf } from "../panel/moment.js";
import { openDialog } from "./dialog.js";

export function exportDialog(app) {
  const choice = (name, picture, act) =>
    h("button", { type: "button", class: "button", dataset: { export: name }, onclick: () => { close(); act(); } }, icon(picture), h("span", {}, t(`export.${name}`)));
  const { close } = openDialog(t("command.exportGame"), h("div", { class: "stack" },
    choice("record", "save", () => saveRecord(app)),
    choice("page", "open", () => savePage(app)),
    choice("png", "camera", () => savePicture(app, "png")),
    choice("svg", "camera", () => savePicture(app, "svg")),
    choice("graph", "camera", () => (hasGraph(app.game) ? saveGraph(app) : app.toast(t("export.noGraph"))))), "small export");
}

const STYLE = "body{font:16px/1.5 system-ui,sans-serif;max-width:760px;margin:2rem auto;padding:0 1rem;color:#2b2722}table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:right;border-top:1px solid #ddd}.pair{display:grid;grid-template-columns:1fr 1fr;gap:1rem;margin:.6rem 0 1.6rem}.mini-wood{fill:#e0b870}.mini-lines{fill:none;stroke:#4a3517;stroke-width:.04}.mini-black,.mini-white,.mini-rim{fill:none;stroke:#1a1a1c;stroke-width:.88;stroke-linecap:round}.mini-rim{stroke:#8d8778;stroke-width:.92}.mini-white{stroke:#fbfaf6}.mini-ring{fill:none;stroke:#3aa7a0;stroke-width:.2}figure+figure .mini-ring{stroke:#df7f2a}.owned-black{fill:#000}.owned-white{fill:#fff}.line{display:block}svg{max-width:100%;height:auto}.chart{width:100%}";

/** The review as one page that needs nothing else. Everything in it is built as elements, so that a name stays a name. */
async function savePage(app) {
  const { info, review } = app.game;
  const title = `${info.black.name || t("color.black")} – ${info.white.name || t("color.white")}`;
  const body = h("main", {}, h("h1", {}, title), h("p", {}, [gameName(info.name) === title.replace(" – ", " - ") ? "" : gameName(info.name), info.record.event, info.record.date, info.record.result].filter(Boolean).join(" · ")));
  const chart = document.querySelector(".game-graph");
  if (chart?.viewBox.baseVal.width && hasGraph(app.game)) body.append(new DOMParser().parseFromString(chartPicture(chart), "image/svg+xml").documentElement);
  if (review) body.append(summary(review.summary));
  for (const id of review?.deciding ?? []) {
    const moment = await app.askFor({ type: "moment", node: id }, "moment", { isQuiet: true });
    const node = app.game.nodes.get(id);
    if (!moment || !node) continue;
    const best = moment.before.line[0] ?? "–";
    const leads = leadsOf(moment);
    const lines = [moment.before.line, [moment.move, ...moment.after.line]];
    body.append(
      h("h2", {}, t("moment.lost", { number: node.number, color: t(`color.${node.color}`), move: node.move, points: node.lost.toFixed(1), best })),
      h("div", { class: "pair" }, beforeAndAfter(app.game, moment)),
      h("p", {}, ["better", "played"].map((which, i) => h("span", { class: "line" }, `${t(`moment.${which}`)}: ${leadText(leads[i])} (${lines[i].slice(0, 8).join(" ")})`))));
  }
  const page = document.implementation.createHTMLDocument(title);
  page.documentElement.lang = document.documentElement.lang;
  page.head.prepend(Object.assign(page.createElement("meta"), { charset: "utf-8" }));
  page.head.querySelector("meta").setAttribute("charset", "utf-8");
  page.body.append(page.adoptNode(body));
  // As text: a style element would be held against the content policy of the page that makes it.
  const html = page.documentElement.outerHTML.replace("</head>", `<style>${STYLE}</style></head>`);
  offer(new Blob([`<!doctype html>\n${html}`], { type: "text/html" }), `${fileName(info.name)}.html`);
}

function summary(sides) {
  const rate = (value) => (value === null ? "–" : `${percent(value, 0)} %`);
  const row = (name, pick) => h("tr", {}, h("th", {}, t(`review.${name}`)), ["black", "white"].map((color) => h("td", {}, pick(sides[color]))));
  return h("table", {}, h("tr", {}, h("td"), ["black", "white"].map((color) => h("th", {}, t(`color.${color}`)))),
    row("accuracy", (side) => rate(side.accuracy)), row("bestShare", (side) => rate(side.best_share)), row("lost", (side) => side.lost_per_move?.toFixed(1) ?? "–"));
}
