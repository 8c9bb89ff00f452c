// Where it all comes together: the server's messages go into the game, the game goes onto the board and into the panels once
// per frame, and what a person does goes back to the server.

import { Board } from "./board/board.js";
import { pointName } from "./board/geometry.js";
import { listenForKeys } from "./commands.js";
import { Connection } from "./connection.js";
import { buildDialogs } from "./dialog/all.js";
import { acceptRecords } from "./dialog/open_record.js";
import { h, setText } from "./dom.js";
import { Game } from "./game.js";
import { complaint, t, useLanguage } from "./i18n/i18n.js";
import { buildPage } from "./layout.js";
import { evenGame, noteResult } from "./opponent.js";
import { DEPTHS } from "./panel/review.js";
import { positionView } from "./position_view.js";
import { Settings } from "./settings.js";
import { captureSound, passSound, stoneSound } from "./sound.js";
import { applyTheme, followSystem } from "./theme.js";
import { toaster } from "./toast.js";

/** Visits a second of the net that comes with Jigo on one core of an ordinary computer. */
const USUAL_PACE = 300;
/** So many tell the pace of a net that was never tried here. */
const MEASURED_VISITS = 32;

class App {
  constructor() {
    this.settings = new Settings(() => this.settingsChanged());
    this.game = new Game();
    this.changed = new Set();
    this.frame = null;
    this.pending = null;
    this.variation = null;
    this.hovered = null;
    this.answers = new Map();
    this.asking = new Map();
    this.guessing = null;
    this.training = null;
    this.linePlayed = null;
    this.editing = null;
    this.forgetAim = () => {};
    this.knowsCritical = false;
    this.isConnected = null;
    this.shown = undefined;
    this.measured = null;
    applyTheme(this.settings);
    followSystem(this.settings);
  }

  start() {
    const toasts = toaster();
    this.toast = toasts.show;
    this.spoken = h("div", { class: "spoken", "aria-live": "polite" });
    this.board = new Board(
      {
        choose: (point) => this.choose(point),
        refuse: (point) => this.toast(t(`illegal.${this.game.position.illegal.get(point)}`), "error"),
        hover: (point) => this.hover(point),
        aim: (point) => {
          this.forgetAim();
          this.forgetAim = this.toast(t("board.tapAgain", { point: pointName(point, this.game.size) }));
        },
        resize: () => this.touch("analysis"),
        say: (text) => setText(this.spoken, text),
      },
      { label: t("board.label"), empty: t("board.empty"), black: t("board.black"), white: t("board.white") },
    );
    this.dialogs = buildDialogs(this);
    this.views = buildPage(this, this.board, toasts);
    document.body.append(this.spoken);
    this.render(new Set(["game", "settings"]));
    listenForKeys(this);
    acceptRecords(this);
    window.addEventListener("hashchange", () => this.joinFromAddress());
    this.connection = new Connection({
      receive: (message) => this.receive(message),
      change: (isOpen) => this.connectionChanged(isOpen),
    });
  }

  // From the server

  receive(message) {
    const waiting = this.answers.get(message.type);
    if (waiting) {
      this.answers.delete(message.type);
      return waiting(message);
    }
    if (message.type === "judged") return this.training && import("./training/training.js").then(({ judged }) => judged(this, message));
    if (message.type === "error" || message.type === "illegal") return this.complain(message);
    const topic = this.game.receive(message);
    if (!topic) return;
    if (topic === "hello") {
      this.knowsCritical = false;
      this.joinFromAddress();
    }
    if (topic === "game") this.gameChanged();
    if (message.type === "gone") this.toast(t("error.not_found"));
    if (topic === "position") this.positionChanged();
    if (topic === "analysis" || topic === "review") this.notePace();
    // Only playouts tell which points decide a game; an analyst with a net alone knows none, and then none are offered.
    if (topic === "analysis" && this.game.analysis) this.knowsCritical ||= this.game.analysis.criticality.some((value) => value > 0);
    if (topic === "status") noteResult(this);
    this.touch(topic);
  }

  gameChanged() {
    this.pending = null;
    const { info } = this.game;
    // Palette, guesses and exercise are about one game; an exercise brings its own.
    const isOther = this.shown !== info?.id;
    this.shown = info?.id;
    if (isOther) [this.editing, this.guessing].forEach((mode) => mode?.close());
    if (this.training && this.training.card.game !== info?.id) this.training.close();
    // The address names the game, so that a reload and a second tab find it again.
    if (info && location.hash !== `#${info.id}`) history.replaceState(null, "", `#${info.id}`);
    if (!info) history.replaceState(null, "", location.pathname);
  }

  positionChanged() {
    const { game } = this;
    const { position } = game;
    const drawnAlready = this.pending !== null && this.pending.point === position.last;
    this.pending = null;
    this.showVariation(null);
    const isNewMove = position.cameFrom !== null && game.node()?.parent === position.cameFrom;
    if (!isNewMove) return;
    const { color, move } = game.node();
    setText(this.spoken, `${t(`color.${color}`)} ${move === "pass" ? t("command.pass") : move}`);
    if (!this.settings.get("sound")) return;
    if (position.last === null) return passSound();
    if (!drawnAlready) stoneSound();
    if (position.taken > 0) captureSound(position.taken);
  }

  /** How fast the net that judges is here, so that a review can say how long it will take. */
  notePace() {
    const { analysis, review } = this.game;
    const left = review?.is_running && review.done > 4 ? review.seconds_left : 0;
    if (left > 1) return this.setPace((review.visits * (review.total - review.done)) / left);
    if (!analysis || analysis.is_running) return;
    if (this.measured === analysis.node) return this.paceMeasured();
    if (analysis.seconds >= 0.5) this.setPace(analysis.visits / analysis.seconds);
  }

  /** A net that nobody tried here thinks for a moment, unseen. */
  async measurePace() {
    const { position, status } = this.game;
    if (!position || status?.analysing || this.pace() !== null) return;
    this.measured = position.node;
    await this.ask({ type: "analyse", on: true, visits: MEASURED_VISITS });
  }

  async paceMeasured() {
    const { visits, seconds } = this.game.analysis;
    if (seconds > 0) this.setPace(visits / seconds);
    await this.ask({ type: "analyse", on: false });
    this.measured = null;
    this.touch("review");
  }

  /** Visits a second, or null if nothing was measured with this net. */
  pace() {
    const { hello } = this.game;
    return this.settings.get("paces")[hello?.net ?? ""] ?? (hello?.net ? null : USUAL_PACE);
  }

  /** Quietly: it is written down with the next thing that somebody chooses. */
  setPace(pace) {
    this.settings.values.paces = { ...this.settings.get("paces"), [this.game.hello?.net ?? ""]: Math.round(pace) };
  }

  connectionChanged(isOpen) {
    if (isOpen && this.isConnected === false) this.toast(t("connection.back"));
    this.isConnected = isOpen;
    if (!isOpen) this.pending = null;
    this.touch("connection", "position");
  }

  joinFromAddress() {
    const id = location.hash.slice(1);
    if (id) this.join(id);
  }

  // To the server

  /** Sends a request; a refusal becomes a note on the page. Resolves to true when it was done. */
  async ask(request) {
    try {
      await this.connection.ask(request);
      return true;
    } catch (refused) {
      this.pending = null;
      this.touch("position");
      this.complain(refused.answer ?? { text: String(refused) });
      return false;
    }
  }

  /** A request whose answer is a message of its own; resolves to that message, or null. */
  askFor(request, type, how) {
    // Answers of one type carry no name: one question after the other.
    const turn = (this.asking.get(type) ?? Promise.resolve()).then(() => this.askAlone(request, type, how));
    this.asking.set(type, turn.catch(() => {}));
    return turn;
  }

  async askAlone(request, type, { isQuiet = false } = {}) {
    let answer = null;
    this.answers.set(type, (message) => (answer = message));
    if (isQuiet) await this.connection.ask(request).catch(() => {});
    else await this.ask(request);
    this.answers.delete(type);
    return answer;
  }

  complain(message) {
    this.toast(complaint(message), "error");
  }

  /** A game to play, whatever the panel showed before. */
  begin(request) {
    this.settings.set("tab", "play");
    return this.ask(request);
  }

  /** A stone on the board of the welcome page begins a game. */
  async beginWith(point) {
    const move = this.game.vertex(point);
    if (this.game.hello && (await this.begin({ type: "new", size: this.game.size, color: "black", level: evenGame(this).level }))) this.play(move);
  }

  async join(id) {
    const joined = await this.ask({ type: "join", game: id });
    if (joined || !this.connection.isOpen() || location.hash !== `#${id}`) return;
    // The address names a game that is gone: back to the empty board.
    this.game.leave();
    this.gameChanged();
    this.touch("game");
  }

  choose(point) {
    const { counting, position, status } = this.game;
    this.forgetAim();
    if (this.editing) return import("./edit/palette.js").then(({ edit }) => edit(this, point));
    if (this.guessing) return import("./training/guess.js").then(({ guess }) => guess(this, point));
    if (!this.game.info) return this.beginWith(point);
    if (counting) return position.stones[point] ? this.ask({ type: "toggle", point: this.game.vertex(point) }) : undefined;
    if (position && !position.is_live && status?.phase === "playing" && !position.may_play) return this.toast(t("status.lookingBackHint"));
    if (!position?.may_play || this.pending) return;
    if (position.stones[point]) return this.toast(t("illegal.occupied"), "error");
    // The stone is drawn before the server has answered; every reason against it is known already.
    this.pending = { point, color: position.to_move };
    if (this.settings.get("sound")) stoneSound();
    this.touch("position");
    this.play(this.game.vertex(point));
  }

  play(move) {
    return this.ask({ type: "play", move });
  }

  analyse() {
    this.measured = null;
    return this.ask({ type: "analyse", on: !this.game.status?.analysing });
  }

  /** An overlay without analysis shows nothing, so asking for one asks for both. */
  wantAnalysis() {
    if (this.game.info && !this.game.status?.analysing) this.ask({ type: "analyse", on: true });
  }

  async deeper() {
    if (!this.game.status?.analysing && !(await this.ask({ type: "analyse", on: true }))) return;
    this.ask({ type: "deeper" });
  }

  /** At a mistake one tries again from the position before it, without being told the answer. */
  tryIt() {
    return this.ask({ type: "try", on: !this.game.status.trial });
  }

  review() {
    const on = !this.game.status.reviewing;
    if (on) this.settings.set("tab", "review");
    return this.ask({ type: "review", on, visits: DEPTHS[this.settings.get("depth")] });
  }

  /** Plays a line out as a branch from a node, and stops where it leaves the game. Whoever takes the board elsewhere waits for `linePlayed`. */
  playLine(from, vertices) {
    this.linePlayed = this.playMoves(from, vertices);
    return this.linePlayed;
  }

  async playMoves(from, vertices) {
    this.showLine(null);
    if (!(await this.ask({ type: "go", node: from }))) return;
    for (const move of vertices) {
      if (!(await this.ask({ type: "play", move }))) break;
    }
    // From where it leaves the game the arrow keys follow it to its end.
    const path = this.game.pathTo();
    const line = path.slice(path.findIndex((node) => node.id === from) + 1);
    const start = line.find((node) => this.game.nodes.get(node.parent).children[0] !== node.id) ?? line[0];
    if (start) await this.ask({ type: "go", node: start.id });
  }

  goToMistake(direction) {
    return this.ask({ type: "go", to: direction > 0 ? "next_mistake" : "previous_mistake" });
  }

  // To the eye

  hover(point) {
    this.hovered = point;
    const move = this.game.analysis && this.settings.get("bestMoves") && point !== null ? this.game.analysis.moves.find((candidate) => candidate.point === point) : null;
    this.showVariation(move ?? null);
  }

  /** Ghost stones of a line that is not one of the candidates. */
  showLine(moves) {
    this.board.showVariation(moves);
  }

  showVariation(move) {
    if (move === this.variation) return;
    this.variation = move;
    this.board.showVariation(move ? move.variation : null);
  }

  settingsChanged() {
    applyTheme(this.settings);
    this.touch("settings", "position", "analysis");
  }

  touch(...topics) {
    topics.forEach((topic) => this.changed.add(topic));
    this.frame ??= requestAnimationFrame(() => {
      const changed = this.changed;
      this.changed = new Set();
      this.frame = null;
      this.render(changed);
    });
  }

  render(changed) {
    const { board, game, settings } = this;
    if (["hello", "game", "position", "counting", "nodes", "settings", "status"].some((topic) => changed.has(topic))) {
      const view = positionView(game, settings, this.pending, this.guessing ?? this.training);
      // A line that is being drawn begins here.
      if (Number.isInteger(this.editing?.from)) view.hint = { area: [], moves: [this.editing.from] };
      view.isEdited = Boolean(this.editing);
      board.show(view);
    }
    board.element.classList.toggle("waiting", this.pending !== null);
    board.element.classList.toggle("with-values", settings.get("overlayValues"));
    const analysis = this.pending || this.measured === game.position?.node ? null : game.analysis;
    board.showCandidates(analysis && settings.get("bestMoves") ? analysis.moves : null);
    const overlay = settings.get("overlay");
    board.showOverlay(analysis?.[overlay]?.length ? overlay : null, analysis?.[overlay]);
    // A pointer that was there before the analysis came still wants to see the line.
    if (changed.has("analysis") && this.hovered !== null && !this.variation) this.hover(this.hovered);
    for (const view of this.views) view.update(changed);
  }
}

const app = new App();
await useLanguage(app.settings.get("language"));
app.start();
// An app window is a wish of later; nothing waits for it.
window.addEventListener("load", () => navigator.serviceWorker?.register("/service_worker.js").catch(() => {}));
