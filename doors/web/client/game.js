// The game as the server tells it: messages in, plain data out. Points become numbers here (row by row from the top left), so
// that nothing else in the client knows about "D4".

import { COLUMNS } from "./board/geometry.js";

export class Game {
  constructor() {
    this.hello = null;
    this.leave();
  }

  leave() {
    this.info = null;
    this.nodes = new Map();
    this.live = null;
    this.position = null;
    this.status = null;
    this.clock = null;
    this.counting = null;
    this.finalCount = null;
    this.komi = null;
    this.analysis = null;
    this.review = null;
    this.thinking = null;
    this.storage = null;
    this.lineNodes = [];
  }

  /** Takes a message in; returns the topic that changed, or null for messages that are not about the game. */
  receive(message) {
    const handler = HANDLERS[message.type];
    return handler ? handler(this, message) : null;
  }

  get size() {
    // The board that waits for a first visitor is a small one.
    return this.info?.size ?? 9;
  }

  point(vertex) {
    return pointOfVertex(vertex, this.size);
  }

  vertex(point) {
    return COLUMNS[point % this.size] + (this.size - Math.floor(point / this.size));
  }

  node(id = this.position?.node) {
    return this.nodes.get(id);
  }

  /** Nodes from the root to `id`. */
  pathTo(id = this.position?.node) {
    const path = [];
    for (let node = this.nodes.get(id); node; node = this.nodes.get(node.parent)) path.push(node);
    return path.reverse();
  }

  /** The line in view: through the cursor to its end. It stays the same while the cursor walks along it. */
  line() {
    // What was taken back is no part of a game that goes on.
    if (["playing", "counting"].includes(this.status?.phase) && this.isPlayed()) return (this.lineNodes = this.pathTo(this.live));
    const here = this.position?.node;
    const stays =
      this.lineNodes.some((node) => node.id === here) &&
      this.lineNodes.every((node) => this.nodes.has(node.id)) &&
      this.nodes.get(this.lineNodes.at(-1)?.id)?.children.length === 0;
    if (stays) {
      this.lineNodes = this.lineNodes.map((node) => this.nodes.get(node.id));
      return this.lineNodes;
    }
    const line = this.pathTo();
    for (let next = this.nodes.get(line.at(-1)?.children[0]); next; next = this.nodes.get(next.children[0])) line.push(next);
    this.lineNodes = line;
    return line;
  }

  /** Is the node in view part of the game itself, which cannot be deleted? */
  isPlayed() {
    return this.live !== null && this.pathTo(this.live).some((node) => node.id === this.position?.node);
  }

  /** Does the main line come through the node in view? */
  isMainLine() {
    const path = this.pathTo();
    return path.every((node, i) => i === 0 || path[i - 1].children[0] === node.id);
  }

  /** The colour a person plays here, "both", or null when only engines play. */
  humanColor() {
    if (!this.info || this.info.mode === "study") return "both";
    const black = !this.info.black.engine;
    const white = !this.info.white.engine;
    if (black && white) return "both";
    return black ? "black" : white ? "white" : null;
  }
}

export function pointOfVertex(vertex, size) {
  if (!vertex || vertex === "pass" || vertex === "resign") return null;
  return (size - Number(vertex.slice(1))) * size + COLUMNS.indexOf(vertex[0].toUpperCase());
}

export function opposite(color) {
  return color === "black" ? "white" : "black";
}

const STONE = { X: "black", O: "white", ".": null };

const HANDLERS = {
  hello(game, message) {
    game.hello = message;
    return "hello";
  },

  game(game, message) {
    game.leave();
    game.info = message;
    game.live = message.live;
    for (const node of message.nodes) game.nodes.set(node.id, node);
    return "game";
  },

  nodes(game, message) {
    for (const node of message.nodes) game.nodes.set(node.id, node);
    if (message.live !== undefined) game.live = message.live;
    return "nodes";
  },

  position(game, message) {
    const before = game.position;
    game.position = {
      ...message,
      stones: [...message.stones].map((sign) => STONE[sign]),
      last: game.point(message.last),
      illegal: new Map(Object.entries(message.illegal).map(([vertex, why]) => [game.point(vertex), why])),
      marks: readMarks(game, message.marks),
      cameFrom: before?.node ?? null,
      taken: before ? prisoners(message) - prisoners(before) : 0,
    };
    if (game.analysis && game.analysis.node !== message.node) game.analysis = null;
    return "position";
  },

  status(game, message) {
    game.status = message;
    // The agreed count stays on the board under the result.
    if (message.phase === "over") game.finalCount = game.counting?.isProposed ? game.counting : game.finalCount;
    else game.finalCount = null;
    if (message.phase !== "counting") game.counting = null;
    if (message.turn !== "engine") game.thinking = null;
    return "status";
  },

  thinking(game, message) {
    game.thinking = message;
    return "thinking";
  },

  thought(game) {
    game.thinking = null;
    return "thinking";
  },

  clock(game, message) {
    game.clock = { ...message, heardAt: performance.now() };
    return "clock";
  },

  komi(game, message) {
    game.komi = message;
    return "komi";
  },

  analysis(game, message) {
    game.analysis = message.node === null ? null : readAnalysis(game, message);
    return "analysis";
  },

  review(game, message) {
    game.review = message;
    return "review";
  },

  counting(game, message) {
    const points = (vertices) => (vertices ?? []).map((vertex) => game.point(vertex));
    game.counting = {
      ...message,
      isProposed: message.proposed !== null,
      dead: new Set(points(message.dead)),
      territory: new Map([
        ...points(message.black_territory).map((point) => [point, "black"]),
        ...points(message.white_territory).map((point) => [point, "white"]),
      ]),
    };
    // A game that was counted before comes back with its count.
    if (game.status?.phase === "over") [game.finalCount, game.counting] = [game.counting, null];
    return "counting";
  },

  storage(game, message) {
    game.storage = message.failed ? message : null;
    return "storage";
  },

  gone(game) {
    game.leave();
    return "game";
  },
};

/** Marks of the record: `{ signs: [[point, kind]], labels: [[point, text]], lines: [[from, to, isArrow]] }`. */
function readMarks(game, marks) {
  if (!marks) return null;
  const at = (vertices) => (vertices ?? []).map((vertex) => game.point(vertex)).filter((point) => point !== null);
  const kinds = ["triangle", "square", "circle", "cross", "selected", "dim", "black_territory", "white_territory"];
  const pairs = (list, isArrow) => (list ?? []).map(([from, to]) => [game.point(from), game.point(to), isArrow]);
  return {
    signs: kinds.flatMap((kind) => at(marks[kind]).map((point) => [point, kind])),
    labels: Object.entries(marks.label ?? {}).map(([vertex, text]) => [game.point(vertex), text]),
    lines: [...pairs(marks.line, false), ...pairs(marks.arrow, true)],
  };
}

function prisoners({ captures }) {
  return captures.black + captures.white;
}

/** Win rates and scores of moves are turned to the player to move: that is how players compare moves. */
function readAnalysis(game, message) {
  const forMover = message.to_move === "black";
  const moves = message.moves.map((move, order) => ({
    order,
    vertex: move.move,
    point: game.point(move.move),
    visits: move.visits,
    winRate: forMover ? move.black_win : 1 - move.black_win,
    score: forMover ? move.black_lead : -move.black_lead,
    pointsLost: move.lost,
    policy: move.policy,
    variation: move.pv.map((vertex, i) => ({
      point: game.point(vertex),
      vertex,
      color: i % 2 === 0 ? message.to_move : opposite(message.to_move),
    })),
  }));
  return { ...message, moves };
}
