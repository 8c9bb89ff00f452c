// Review: analyse the whole game, then walk from mistake to mistake.

import { h, setText } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { buttonRow, STOPS } from "../button.js";
import { qualityOfLoss } from "../quality.js";
import { timeText } from "../numbers.js";

export function reviewPanel(app) {
  const start = buttonRow(app, { review: { icon: "play", class: "primary", on: STOPS }, tryIt: {} });
  const steps = buttonRow(app, { previousMistake: { icon: "back" }, nextMistake: { icon: "forward" } });
  const bar = h("progress", { max: 1, value: 0, "aria-label": t("review.progress") });
  const told = h("p", { class: "summary" });
  const averages = h("p", { class: "averages" });
  const list = h("ol", { class: "mistakes", "aria-label": t("review.mistakes") });
  const save = buttonRow(app, { saveRecord: { icon: "save" }, savePng: { icon: "camera" }, saveSvg: { icon: "camera" } }, "row small");
  let shown = "";
  const element = h("section", { class: "review", "aria-label": t("panel.review") },
    start.element, bar, told, averages, steps.element, list, save.element);

  function drawList(review) {
    const mistakes = review?.mistakes ?? [];
    const signature = mistakes.map((mistake) => `${mistake.node}:${mistake.lost}`).join();
    if (signature !== shown) {
      shown = signature;
      list.replaceChildren(...mistakes.map((mistake) => h("li", {}, mistakeButton(app, mistake))));
    }
    const here = String(app.game.position?.node);
    for (const button of list.querySelectorAll("button")) {
      const current = button.dataset.node === here;
      if (current && button.getAttribute("aria-current") !== "true") button.scrollIntoView({ block: "nearest" });
      button.setAttribute("aria-current", String(current));
    }
  }

  return {
    element,
    update() {
      const { review, status } = app.game;
      [start, steps, save].forEach((row) => row.update());
      bar.hidden = !review?.is_running;
      if (review) bar.value = review.total ? review.done / review.total : 0;
      setText(told, reviewText(review, status));
      const summary = review?.summary;
      averages.hidden = !summary;
      if (summary) {
        // Null while no move of that side has been judged yet.
        const lost = (side) => summary[side].lost_per_move?.toFixed(2) ?? "–";
        setText(averages, t("review.averages", { black: lost("black"), white: lost("white") }));
      }
      steps.element.hidden = list.hidden = !review?.mistakes?.length;
      drawList(review);
    },
  };
}

function reviewText(review, status) {
  if (review?.is_running) {
    return t("review.running", { done: review.done, total: review.total, left: timeText(review.seconds_left ?? 0) });
  }
  if (status?.reviewing) return t("review.starting");
  if (!review) return t("review.invite");
  return review.mistakes.length ? t("review.found", { count: review.mistakes.length }) : t("review.clean");
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
    h("span", { class: "instead" }, t("review.instead", { best: mistake.best })),
    h("span", { class: "lost" }, `\u2212${mistake.lost.toFixed(1)}`),
  );
}
