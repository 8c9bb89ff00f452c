// Guess the move: walking through any record, the next move is yours to find. Ten points for the move of the record or the engine's
// best, fewer for a point beside it.

import { h, setText } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { confirm } from "../dialog/dialog.js";

const EXACT = 10;
const NEAR = [EXACT, 5, 2];

/** Starts at the cursor, or ends and tells the points. */
export function toggleGuess(app) {
  if (app.guessing) return finish(app);
  const { position } = app.game;
  if (!nextOf(app)) return app.toast(t("guess.atEnd"));
  const line = h("p", { class: "guess-line", role: "status" });
  const stop = h("button", { type: "button", class: "button", dataset: { command: "guess" }, onclick: () => finish(app) }, t("command.stop"));
  const card = h("section", { class: "guess-card", "aria-label": t("command.guess") }, line, stop);
  document.querySelector(".panel").prepend(card);
  card.scrollIntoView({ block: "nearest" });
  app.guessing = { points: 0, moves: 0, card, line, from: position.node, close: () => finish(app) };
  app.game.status.analysing && app.ask({ type: "analyse", on: false });
  setText(line, t("guess.begin", { color: t(`color.${position.to_move}`) }));
  app.touch("settings", "position", "status");
}

/** A point was chosen while guessing; the record's move is then played and judged. */
export async function guess(app, point) {
  const { guessing, game } = app;
  const next = nextOf(app);
  if (!next) return finish(app);
  // A second click before the move is on the board is no second guess.
  if (guessing.isAnswered) return;
  guessing.isAnswered = true;
  const right = game.point(next.move);
  const best = game.point(game.node()?.eval?.best);
  const points = Math.max(worth(point, right, game.size), point === best ? EXACT : 0);
  guessing.points += points;
  guessing.moves += 1;
  const average = (guessing.points / guessing.moves).toFixed(1);
  setText(guessing.line, t(point === right ? "guess.right" : "guess.wrong", { move: next.move, points, total: guessing.points, average }));
  await app.ask({ type: "go", node: next.id });
  guessing.isAnswered = false;
  if (app.guessing === guessing && !nextOf(app)) finish(app);
}

function finish(app) {
  const { card, points, moves } = app.guessing;
  card.remove();
  app.guessing = null;
  app.touch("settings", "position", "status");
  if (moves) confirm(t("guess.done", { points, moves, most: moves * EXACT }), t("dialog.close"), () => {}, { isHarmless: true });
}

function nextOf(app) {
  const id = app.game.node()?.children[0];
  const next = app.game.nodes.get(id);
  return next?.move ? next : null;
}

function worth(point, right, size) {
  if (right === null) return 0;
  const far = Math.max(Math.abs((point % size) - (right % size)), Math.abs(Math.floor(point / size) - Math.floor(right / size)));
  return NEAR[far] ?? 0;
}
