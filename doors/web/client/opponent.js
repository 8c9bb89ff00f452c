// An even game for this player: the opponent follows the results, one step after each game, and the way it went is kept as a small
// curve. Below the lowest level the steps are handicap stones.

import { svg } from "./dom.js";
import { t } from "./i18n/i18n.js";

const MOST_KEPT = 60;
/** A game that was given up before so many moves says nothing about anybody's strength. */
const LEAST_MOVES = 10;

/** The level and handicap of an even game now. */
export function evenGame(app) {
  const { level: lowest } = app.game.hello.levels[0];
  const step = app.settings.get("even").step ?? app.game.hello.default_level;
  return step >= lowest ? { level: step, handicap: 0 } : { level: lowest, handicap: lowest + 1 - step };
}

/** The step of a game on this ladder, or null if it is not on it: handicap stones are for a person, at the lowest level. */
function stepOf({ level, handicap }, color, lowest) {
  if (handicap < 2) return level;
  return level === lowest && color === "black" ? lowest + 1 - handicap : null;
}

/** Takes note of a game that has ended, once. */
export function noteResult(app) {
  const { hello, info, live, nodes, status } = app.game;
  const color = app.game.humanColor();
  const isContest = info?.mode === "play" && ["black", "white"].includes(color) && !info.net && !info.like;
  if (!isContest || status?.phase !== "over" || !status.result?.winner || !hello) return;
  const [lowest, highest] = [hello.levels[0].level, hello.levels.at(-1).level];
  const played = stepOf(info, color, lowest);
  const { games = [] } = app.settings.get("even");
  const isShort = (nodes.get(live)?.number ?? 0) < LEAST_MOVES;
  if (played === null || isShort || games.some((game) => game.id === info.id)) return;
  const won = status.result.winner === color;
  const step = Math.min(highest, Math.max(lowest + 1 - hello.handicaps[1], played + (won ? 1 : -1)));
  app.settings.set("even", { step, games: [...games, { id: info.id, step: played, won }].slice(-MOST_KEPT) });
}

/** The levels played at, game by game, won ones filled. */
export function levelCurve(app) {
  const { games = [] } = app.settings.get("even");
  if (games.length < 2) return null;
  const steps = games.map((game) => game.step ?? game.level);
  const [low, high] = [Math.min(...steps) - 1, Math.max(...steps) + 1];
  const points = steps.map((step, i) => [4 + (i * 152) / (games.length - 1), 36 - (32 * (step - low)) / (high - low)]);
  return svg("svg", { class: "level-curve", viewBox: "0 0 160 40", role: "img", "aria-label": t("newGame.evenCurve", { levels: steps.join(", ") }) },
    svg("title", {}, t("newGame.evenCurve", { levels: steps.join(", ") })),
    svg("path", { d: points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("") }),
    points.map(([cx, cy], i) => svg("circle", { class: games[i].won ? "won" : "", cx, cy, r: 2.6 })));
}
