// From the game and the settings to what the board shows.

import { opposite } from "./game.js";
import { MISTAKE, qualityOfLoss } from "./quality.js";

/** `exam`: somebody guesses or trains, and is not shown what comes or what it is worth, but for an `answer` that was given. */
export function positionView(game, settings, pending, exam = null) {
  const isExam = exam !== null;
  const { position, counting } = game;
  const count = counting ?? (position?.is_live ? game.finalCount : null);
  if (!position || !game.info) return emptyView(game, settings);
  const stones = [...position.stones];
  let { last } = position;
  let fresh = game.node()?.parent === position.cameFrom ? position.last : null;
  let { to_move: toMove } = position;
  if (pending) {
    stones[pending.point] = pending.color;
    last = fresh = pending.point;
    toMove = opposite(toMove);
  }
  const studying = game.info.mode === "study" || !position.is_live || game.status?.phase === "over";
  return {
    size: game.size,
    coordinates: settings.get("coordinates"),
    stones,
    lastMove: last,
    fresh,
    toMove,
    mayPlay: position.may_play && !pending && !counting,
    illegal: position.illegal,
    ko: [...position.illegal].find(([, why]) => why === "ko")?.[0] ?? null,
    dead: count?.dead ?? new Set(),
    territory: count?.territory ?? null,
    counting: Boolean(counting),
    numbers: settings.get("numbers") ? moveNumbers(game) : null,
    // Who tries it alone is not shown what was played.
    next: studying && !game.status?.trial && !isExam ? nextPoints(game) : [],
    marks: position.marks,
    hint: isExam ? answerOf(game, exam) : position.is_live && game.status?.hint?.is_ready ? readHint(game) : null,
    verdicts: settings.get("tab") === "review" && !settings.get("numbers") && !game.status?.trial && !isExam ? verdicts(game) : new Map(),
    ...(isExam ? { quality: null, better: null } : judgement(game, pending)),
  };
}

/** In a review every stone whose move lost something carries the colour of the loss. */
function verdicts(game) {
  const qualities = new Map();
  for (const node of game.pathTo().slice(0, -1)) {
    const point = game.point(node.move);
    if (point === null) continue;
    const quality = node.lost === undefined ? 0 : qualityOfLoss(node.lost);
    if (quality > 0) qualities.set(point, quality);
    else qualities.delete(point);
  }
  return qualities;
}

/** At a mistake: how bad it was, and what would have been better. */
function judgement(game, pending) {
  const node = game.node();
  const quality = node?.lost === undefined ? 0 : qualityOfLoss(node.lost);
  if (pending || quality < MISTAKE || game.status?.trial) return { quality: null, better: null };
  // While the move can still be taken back, the answer is not told.
  const isOpen = game.status?.phase === "playing" && game.position.is_live;
  return { quality, better: isOpen ? null : game.point(game.nodes.get(node.parent)?.eval?.best) };
}

function answerOf(game, { answer = null }) {
  const point = game.point(answer);
  return point === null ? null : { area: [], moves: [point] };
}

/** Points to light up: a part of the board first, then one or two moves. */
function readHint(game) {
  const { area, moves } = game.status.hint;
  return { area: area.map((vertex) => game.point(vertex)), moves: moves.map((vertex) => game.point(vertex)).filter((point) => point !== null) };
}

function emptyView(game, settings) {
  const { size } = game;
  return {
    size,
    coordinates: settings.get("coordinates"),
    stones: new Array(size * size).fill(null),
    lastMove: null,
    fresh: null,
    toMove: "black",
    // The first stone may be set at once: it begins a game.
    mayPlay: game.hello !== null,
    illegal: new Map(),
    ko: null,
    dead: new Set(),
    territory: null,
    counting: false,
    numbers: null,
    next: [],
    marks: null,
    hint: null,
    verdicts: new Map(),
    quality: null,
    better: null,
  };
}

/** The number of the move that put each stone there; a later stone on the same point wins. */
function moveNumbers(game) {
  const numbers = new Map();
  for (const node of game.pathTo()) {
    const point = node.move ? game.point(node.move) : null;
    if (point !== null) numbers.set(point, node.number);
  }
  return numbers;
}

function nextPoints(game) {
  return (game.node()?.children ?? [])
    .map((id) => game.point(game.nodes.get(id)?.move))
    .filter((point) => point !== null);
}
