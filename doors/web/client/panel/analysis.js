// Live analysis: switch it on, choose what to see, read the best moves.

import { h, setAttribute, setText } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { buttonRow, STOPS } from "../button.js";
import { worthShowing } from "../board/candidates.js";
import { qualityOfLoss } from "../quality.js";
import { compact, percent, signed } from "../numbers.js";

const MOST_ROWS = 10;

export function analysisPanel(app) {
  const controls = buttonRow(app, { analyse: { icon: "play", class: "primary", on: STOPS }, deeper: { icon: "deeper" } });
  const overlays = buttonRow(app, { bestMoves: {}, ownership: {}, policy: {}, criticality: { isShy: true }, overlayValues: {} }, "chips");
  const legend = h("p", { class: "legend", "aria-label": t("legend.title") },
    [t("legend.best"), ...[1.5, 3, 6, 12].map((points) => t("legend.upTo", { points })), t("legend.more")].map((words, quality) =>
      h("span", { class: `quality-${quality}` }, h("i", { "aria-hidden": "true" }), words)));
  const summary = h("p", { class: "summary", "aria-live": "off" });
  const body = h("tbody");
  const heads = ["move", "winRate", "score", "visits", "variation"].map((name) => h("th", { scope: "col", dataset: { head: name } }, t(`moves.${name}`)));
  const table = h(
    "table",
    { class: "moves" },
    h("thead", {}, h("tr", {}, heads)),
    body,
  );
  const rows = [];
  const element = h("section", { class: "analysis", "aria-label": t("panel.analysis") }, controls.element, overlays.element, summary, table, legend);

  return {
    element,
    update(changed) {
      const { analysis } = app.game;
      controls.update();
      overlays.update();
      table.hidden = legend.hidden = !analysis;
      setText(summary, summaryText(app.game));
      if (!analysis || !changed.has("analysis")) return;
      const side = { color: t(`color.${analysis.to_move}`) };
      setText(heads[1], t("moves.winRateOf", side));
      setText(heads[2], t("moves.scoreOf", side));
      const shown = worthShowing(analysis.moves).slice(0, MOST_ROWS);
      while (rows.length < shown.length) {
        rows.push(newRow(app, rows.length));
        body.append(rows.at(-1).element);
      }
      rows.forEach((row, i) => row.show(shown[i]));
    },
  };
}

function summaryText(game) {
  const { analysis } = game;
  if (!analysis) return t(game.status?.analysing ? "analysis.starting" : "analysis.off");
  // The same side as in the table, and the same numbers as in its first row.
  const [best] = analysis.moves;
  const isBlack = analysis.to_move === "black";
  const rate = best?.winRate ?? (isBlack ? analysis.black_win : 1 - analysis.black_win);
  const lead = best?.score ?? (isBlack ? analysis.black_lead : -analysis.black_lead);
  const visits = compact(analysis.visits);
  const depth = analysis.visits < analysis.until ? t("analysis.visitsOf", { visits, until: compact(analysis.until) }) : t("analysis.visits", { visits });
  return t("analysis.summary", { color: t(`color.${analysis.to_move}`), rate: percent(rate), lead: signed(lead), depth });
}

function newRow(app, index) {
  let move = null;
  const cells = ["move", "rate", "score", "visits", "line"].map((name) => h("td", { class: name }));
  const element = h("tr", { tabIndex: 0, dataset: { row: index } }, cells);
  const look = () => move && app.showVariation(move);
  element.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && look());
  element.addEventListener("focus", look);
  element.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && app.showVariation(null));
  element.addEventListener("blur", () => app.showVariation(null));
  const choose = () => move && app.game.position?.may_play && app.play(move.vertex);
  // A finger cannot hover: its first touch shows the line, the second plays the move.
  let touched = null;
  element.addEventListener("click", (event) => {
    const isFirstTouch = event.pointerType === "touch" && touched !== move?.vertex;
    touched = isFirstTouch ? move?.vertex : null;
    if (isFirstTouch) look();
    else choose();
  });
  element.addEventListener("keydown", (event) => event.key === "Enter" && choose());
  return {
    element,
    show(next) {
      move = next ?? null;
      element.hidden = !move;
      if (!move) return;
      setAttribute(element, "class", `quality-${qualityOfLoss(move.pointsLost)}`);
      setText(cells[0], move.point === null ? t("command.pass") : move.vertex);
      setText(cells[1], `${percent(move.winRate)} %`);
      setText(cells[2], signed(move.score));
      setText(cells[3], compact(move.visits));
      setText(cells[4], move.variation.slice(1, 8).map((step) => step.vertex).join(" "));
    },
  };
}
