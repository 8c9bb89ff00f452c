// Training on one's own mistakes: the server deals positions from before the errors of reviewed games; one plays a move, the engine
// judges it, and what was missed comes back later.

import { h, setText } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { openDialog } from "../dialog/dialog.js";
import { reasonWords } from "../panel/teacher.js";

export async function openTraining(app) {
  await app.linePlayed;
  const deck = await app.askFor({ type: "deck" }, "deck");
  if (!deck) return;
  if (!deck.due) {
    const words = deck.cards ? t("training.nothingDue", { cards: deck.cards }) : t("training.empty");
    openDialog(t("command.train"), h("p", { class: "hint" }, words), "small training-done");
    return;
  }
  app.settings.set("tab", "review");
  await deal(app);
}

/** The next card: the game it is from, at the position before the mistake, without any hint. */
async function deal(app) {
  const card = await app.askFor({ type: "card" }, "card");
  if (!card?.game) {
    if (app.training) app.toast(t("training.allDone"));
    return end(app);
  }
  if (app.training) app.training.card = card;
  if (!(await app.ask({ type: "join", game: card.game }))) return end(app);
  await app.ask({ type: "train", number: card.number });
  show(app, card);
}

function show(app, card) {
  const { training } = app;
  const line = training?.line ?? h("p", { class: "guess-line", role: "status" });
  const why = training?.why ?? h("p", { class: "why" });
  const next = training?.next ?? h("button", { type: "button", class: "button primary", dataset: { answer: "next" }, onclick: () => deal(app) }, t("training.next"));
  const stop = training?.stop ?? h("button", { type: "button", class: "button", dataset: { answer: "stop" }, onclick: () => end(app) }, t("command.stop"));
  if (!training) {
    const element = h("section", { class: "guess-card training-card", "aria-label": t("command.train") }, line, why, h("div", { class: "row small" }, next, stop));
    document.querySelector(".panel").prepend(element);
    element.scrollIntoView({ block: "nearest" });
    app.training = { element, line, why, next, stop, close: () => end(app) };
  }
  app.training.card = card;
  app.training.answer = null;
  next.hidden = true;
  setText(line, t("training.find", { color: t(`color.${card.color}`), number: card.number, left: card.due }));
  setText(why, t("training.how"));
  app.touch("settings", "position", "status");
}

/** The engine's word on the move that was tried. */
export function judged(app, { lost, best, passed, why: reasons }) {
  const { line, why, next } = app.training;
  setText(line, passed ? t("training.good", { lost: lost.toFixed(1) }) : t("training.missed", { lost: lost.toFixed(1), best: best ?? "–" }));
  setText(why, passed ? "" : reasonWords(reasons, "best").join(" "));
  next.hidden = false;
  next.focus();
  if (!passed) app.training.answer = best;
  app.touch("position");
}

function end(app) {
  if (app.game.status?.trial) app.ask({ type: "try", on: false });
  app.training?.element.remove();
  app.training = null;
  app.touch("settings", "position", "status");
}
