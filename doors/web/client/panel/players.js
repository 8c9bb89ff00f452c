// Two cards: who plays which colour, what each has taken, how much time is left, whose turn it is.

import { h, setText } from "../dom.js";
import { rankText, t } from "../i18n/i18n.js";
import { clockAfter } from "../clock.js";
import { clockText, compact } from "../numbers.js";

const LOW_TIME = 10;
const TICK = 100;

export function playersPanel(app) {
  const cards = { black: card("black"), white: card("white") };
  const element = h("section", { class: "players", "aria-label": t("panel.players") }, cards.black.element, cards.white.element);

  setInterval(() => app.game.clock?.running && tick(), TICK);

  function tick() {
    const { clock } = app.game;
    for (const color of ["black", "white"]) {
      const { clock: face } = cards[color];
      face.hidden = !clock;
      if (!clock) continue;
      const elapsed = clock.running === color ? (performance.now() - clock.heardAt) / 1000 : 0;
      const left = clockAfter(clock[color], clock.setting, elapsed);
      const note = left.isOvertime && left.note !== null ? ` (${left.note})` : "";
      setText(face, clockText(left.seconds) + note);
      face.classList.toggle("running", clock.running === color);
      face.classList.toggle("low", clock.running === color && left.seconds < LOW_TIME);
    }
  }

  return {
    element,
    update() {
      const { info, position, status, thinking } = app.game;
      element.hidden = !info;
      if (!info) return;
      for (const color of ["black", "white"]) {
        const { element: box, name, detail, taken } = cards[color];
        const player = info[color];
        setText(name, nameOf(player, info, color));
        setText(taken, t("players.captures", { count: position?.captures[color] ?? 0 }));
        box.classList.toggle("to-move", position?.to_move === color && status?.phase !== "over");
        const isAsked = Boolean(status?.teacher?.warning);
        const thinks = !isAsked && (thinking?.color === color || (status?.turn === "engine" && status.to_move === color && player.engine));
        box.classList.toggle("thinking", thinks);
        setText(detail, thinks ? thinkingText(thinking) : strength(player));
      }
      tick();
    },
  };
}

function card(color) {
  const name = h("span", { class: "name" });
  const detail = h("span", { class: "detail" });
  const taken = h("span", { class: "taken" });
  const clock = h("span", { class: "clock", role: "timer" });
  const element = h(
    "div",
    { class: `player ${color}`, dataset: { player: color } },
    h("span", { class: `disc ${color}`, "aria-hidden": "true" }),
    h("div", { class: "who" }, name, detail),
    h("div", { class: "numbers" }, clock, taken),
  );
  return { element, name, detail, taken, clock };
}

function nameOf(player, info, color) {
  if (player.engine) return player.name || "Jigo";
  const isNameless = !player.name || (info.mode === "play" && player.name === "You");
  if (!isNameless) return player.name;
  // At one board two people are not both "you".
  return info.mode === "play" && info.black.engine !== info.white.engine ? t("players.you") : t(`color.${color}`);
}

/** The engine's rank is an estimate, and said to be one. */
function strength(player) {
  if (!player.rank) return "";
  return player.engine ? t("players.about", { rank: rankText(player.rank) }) : rankText(player.rank);
}

function thinkingText(thinking) {
  if (!thinking) return t("players.thinking");
  return t("players.thinkingVisits", { visits: compact(thinking.visits) });
}
