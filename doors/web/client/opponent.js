// An even game for this player: the level follows the results, one step after each game, and the way it went is kept as a small curve.

import { svg } from "./dom.js";

const MOST_KEPT = 60;

/** The level of an even game now. */
export function evenLevel(app) {
  return app.settings.get("even").level ?? app.game.hello.default_level;
}

/** Takes note of a game that has ended, once. */
export function noteResult(app) {
  const { info, status } = app.game;
  const color = app.game.humanColor();
  const isContest = info?.mode === "play" && ["black", "white"].includes(color);
  if (!isContest || status?.phase !== "over" || !status.result?.winner || !app.game.hello) return;
  const { games = [] } = app.settings.get("even");
  if (games.some((game) => game.id === info.id)) return;
  const won = status.result.winner === color;
  const levels = app.game.hello.levels.map(({ level }) => level);
  const level = Math.min(Math.max(...levels), Math.max(Math.min(...levels), info.level + (won ? 1 : -1)));
  app.settings.set("even", { level, games: [...games, { id: info.id, level: info.level, won }].slice(-MOST_KEPT) });
}

/** The levels played at, game by game, won ones filled. */
export function levelCurve(app) {
  const { games = [] } = app.settings.get("even");
  if (games.length < 2) return null;
  const highest = app.game.hello.levels.at(-1).level;
  const at = ({ level }, i) => [4 + (i * 152) / (games.length - 1), 36 - (32 * level) / highest];
  const points = games.map(at);
  return svg("svg", { class: "level-curve", viewBox: "0 0 160 40", "aria-hidden": "true" },
    svg("path", { d: points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("") }),
    points.map(([cx, cy], i) => svg("circle", { class: games[i].won ? "won" : "", cx, cy, r: 2.6 })));
}
