// The review: how deep, then how each player did, which moves decided the game, and all mistakes to walk through.

import { h, setAttribute, setText } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { buttonRow, commandButton, STOPS } from "../button.js";
import { qualityOfLoss } from "../quality.js";
import { percent, signed } from "../numbers.js";
import { netChoices } from "../dialog/nets.js";
import { momentCard } from "./moment.js";

/** Visits for every position. */
export const DEPTHS = { quick: 50, normal: 200, thorough: 1000 };
const LEAST_LOSSES = [1.5, 3, 6];

export function reviewPanel(app) {
  const { settings } = app;
  const depth = h("select", { name: "depth", "aria-label": t("review.depth"), onchange: () => settings.set("depth", depth.value) },
    Object.keys(DEPTHS).map((name) => h("option", { value: name, selected: settings.get("depth") === name })));
  const net = netChoice(app);
  const start = commandButton(app, "review", { icon: "play", class: "primary", on: STOPS });
  const more = buttonRow(app, { tryIt: {}, train: {}, guess: {} }, "row small");
  const bar = h("progress", { max: 1, value: 0, "aria-label": t("review.progress") });
  const told = h("p", { class: "summary" });
  const summary = summaryTable();
  const deciding = h("div", { class: "chips deciding" });
  const decidingTitle = h("h3", {}, t("review.deciding"));
  const filter = filterRow(settings);
  const steps = buttonRow(app, { previousMistake: { icon: "back" }, nextMistake: { icon: "forward" } }, "row steps");
  const list = h("ol", { class: "mistakes", "aria-label": t("review.mistakes") });
  const moment = momentCard(app);
  let shown = "";
  const element = h("section", { class: "review", "aria-label": t("panel.review") },
    steps.element, moment.element, h("div", { class: "row review-start" }, depth, net.element, start.element), bar, told,
    summary.element, decidingTitle, deciding, h("div", { class: "review-list" }, filter.element, list), more.element);

  function drawLists(review) {
    const mistakes = wanted(review?.mistakes ?? [], settings.get("mistakes"));
    const signature = JSON.stringify([mistakes.map((mistake) => [mistake.node, mistake.lost]), review?.deciding]);
    if (signature !== shown) {
      shown = signature;
      list.replaceChildren(...mistakes.map((mistake) => h("li", {}, mistakeButton(app, mistake))));
      deciding.replaceChildren(...(review?.deciding ?? []).map((id) => decidingChip(app, id)).filter(Boolean));
    }
    const here = String(app.game.position?.node);
    for (const button of element.querySelectorAll("[data-node]")) {
      const current = button.dataset.node === here;
      if (current && button.getAttribute("aria-current") !== "true") showInList(list, button);
      setAttribute(button, "aria-current", String(current));
    }
  }

  return {
    element,
    update(changed) {
      const { review, status } = app.game;
      [net, start, steps, more].forEach((part) => part.update());
      const isRunning = Boolean(review?.is_running);
      depth.disabled = net.element.disabled = isRunning;
      bar.hidden = !isRunning;
      if (review) bar.value = review.total ? review.done / review.total : 0;
      for (const option of depth.options) setText(option, depthText(app, option.value));
      setText(told, reviewText(review, status));
      summary.show(review?.summary);
      decidingTitle.hidden = deciding.hidden = !review?.deciding?.length;
      steps.element.hidden = filter.element.hidden = list.hidden = !review?.mistakes?.length;
      drawLists(review);
      moment.update(changed);
    },
  };
}

/** How thorough, and how long that will take here. */
function depthText(app, name) {
  const expected = expectedSeconds(app, DEPTHS[name]);
  return t(`review.depth.${name}`) + (expected ? ` (${timeWords(expected)})` : "");
}

function reviewText(review, status) {
  if (review?.is_running) {
    return t("review.running", { done: review.done, total: review.total, left: timeWords(review.seconds_left ?? 0) });
  }
  if (status?.reviewing) return t("review.starting");
  if (!review) return t("review.invite");
  return review.mistakes.length ? t("review.found", { count: review.mistakes.length }) : t("review.clean");
}

/** How long a review of the line in view will take, by the pace of this net so far; null if it was never tried here. */
function expectedSeconds(app, visits) {
  const pace = app.pace();
  return pace ? (app.game.line().length * visits) / pace : null;
}

/** A time nobody should wait for with a stopwatch. */
function timeWords(seconds) {
  return seconds < 90 ? t("time.seconds", { n: Math.max(5, 5 * Math.round(seconds / 5)) }) : t("time.minutes", { n: Math.round(seconds / 60) });
}

/** Which net judges, where there is a choice. */
function netChoice(app) {
  const element = h("select", { name: "net", "aria-label": t("settings.net"), onchange: async () => (await app.ask({ type: "net", net: element.value || null })) && app.measurePace() });
  let drawn = "";
  return {
    element,
    update() {
      const { hello } = app.game;
      element.hidden = (hello?.nets?.length ?? 0) < 2;
      const signature = JSON.stringify([hello?.nets, hello?.net]);
      if (element.hidden || signature === drawn) return;
      drawn = signature;
      element.replaceChildren(...netChoices(hello).map(([value, words]) => h("option", { value, selected: value === (hello.net ?? "") }, words)));
    },
  };
}

function summaryTable() {
  const cells = {};
  const row = (name) => {
    cells[name] = ["black", "white"].map(() => h("td"));
    return h("tr", { dataset: { row: name } }, h("th", { scope: "row", title: t(`review.${name}.hint`) }, t(`review.${name}`)), cells[name]);
  };
  const head = ["black", "white"].map((color) => h("th", { scope: "col" }, h("span", { class: `disc ${color}`, "aria-hidden": "true" }), t(`color.${color}`)));
  const element = h("table", { class: "players-table" },
    h("thead", {}, h("tr", {}, h("td"), head)),
    h("tbody", {}, ["accuracy", "bestShare", "lost", "opening", "middle", "endgame"].map(row)));
  const rate = (value) => (value === null || value === undefined ? "–" : `${percent(value, 0)} %`);
  const points = (value) => (value === null || value === undefined ? "–" : signed(-value));
  return {
    element,
    show(summary) {
      element.hidden = !summary;
      if (!summary) return;
      ["black", "white"].forEach((color, i) => {
        const side = summary[color];
        setText(cells.accuracy[i], rate(side.accuracy));
        setText(cells.bestShare[i], rate(side.best_share));
        setText(cells.lost[i], points(side.lost_per_move));
        for (const part of ["opening", "middle", "endgame"]) setText(cells[part][i], points(side[part].lost_per_move));
      });
    },
  };
}

/** Which mistakes to list: whose, how large, in which order. */
function filterRow(settings) {
  const choice = (name, values, words) =>
    h("select", { name, "aria-label": t(`review.filter.${name}`), onchange: (event) => settings.set("mistakes", { ...settings.get("mistakes"), [name]: event.target.value }) },
      values.map((value) => h("option", { value, selected: String(settings.get("mistakes")[name]) === String(value) }, words(value))));
  const element = h("div", { class: "filter" },
    choice("color", ["both", "black", "white"], (value) => t(`review.filter.${value}`)),
    choice("least", LEAST_LOSSES, (value) => t("review.filter.atLeast", { points: value })),
    choice("order", ["played", "worst"], (value) => t(`review.filter.${value}`)));
  return { element };
}

function wanted(mistakes, { color, least, order }) {
  const shown = mistakes.filter((mistake) => (color === "both" || mistake.color === color) && mistake.lost >= Number(least));
  return order === "worst" ? shown.sort((a, b) => b.lost - a.lost) : shown;
}

/** Moves the list alone: the panel around it stays where its reader is. */
function showInList(list, button) {
  if (!list.contains(button)) return;
  const top = button.offsetTop - list.offsetTop;
  const isSeen = top >= list.scrollTop && top + button.offsetHeight <= list.scrollTop + list.clientHeight;
  if (!isSeen) list.scrollTop = top - list.clientHeight / 2;
}

function decidingChip(app, id) {
  const node = app.game.nodes.get(id);
  if (!node) return null;
  return h("button", { type: "button", class: `button quality-${qualityOfLoss(node.lost ?? 0)}`, dataset: { node: id }, onclick: () => app.ask({ type: "go", node: id }) },
    h("span", { class: `disc ${node.color}`, "aria-hidden": "true" }), `${node.number} ${node.move}`);
}

function mistakeButton(app, mistake) {
  return h(
    "button",
    {
      type: "button",
      class: `mistake quality-${qualityOfLoss(mistake.lost)}`,
      dataset: { node: mistake.node },
      onclick: () => app.ask({ type: "go", node: mistake.node }),
    },
    h("span", { class: `disc ${mistake.color}`, "aria-hidden": "true" }),
    h("span", { class: "which" }, `${mistake.number} ${mistake.move}`),
    h("span", { class: "instead" }, t("review.instead", { best: mistake.best ?? "–" })),
    h("span", { class: "lost" }, `\u2212${mistake.lost.toFixed(1)}`),
  );
}
