// One move of a reviewed game: what it lost, the line that followed and the better one (both to be played out on the board), and
// who owned what before and after.

import { h, setText } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { opposite } from "../game.js";
import { miniBoard } from "../board/mini.js";
import { leadText } from "../numbers.js";
import { reasonWords } from "./teacher.js";

export function momentCard(app) {
  const title = h("h3");
  const lines = h("div", { class: "row small" });
  const why = h("p", { class: "why" });
  const pictures = h("div", { class: "before-after" });
  const element = h("section", { class: "moment", "aria-label": t("moment.title"), hidden: true }, title, why, lines, pictures);
  let shown = null;

  async function load(node) {
    const answer = await app.askFor({ type: "moment", node: node.id }, "moment", { isQuiet: true });
    if (shown !== signatureOf(node) || !answer) return;
    const { before, after, color, move } = answer;
    setText(why, [...reasonWords(answer.why_best, "best"), ...reasonWords(answer.why_bad, "after")].join(" "));
    why.hidden = !why.textContent;
    const [better, played] = leadsOf(answer);
    lines.replaceChildren(
      lineButton(app, `${t("moment.better")}: ${leadText(better)}`, node.parent, before.line, color, "better-line"),
      lineButton(app, `${t("moment.played")}: ${leadText(played)}`, node.parent, [move, ...after.line], color, "played-line"),
    );
    pictures.replaceChildren(...beforeAndAfter(app.game, answer));
  }

  return {
    element,
    update() {
      const node = app.game.node();
      const isMistake = node?.class !== undefined && !app.game.status?.trial;
      element.hidden = !isMistake;
      if (!isMistake) {
        shown = null;
        return;
      }
      const best = app.game.nodes.get(node.parent)?.eval?.best ?? "–";
      setText(title, t("moment.lost", { number: node.number, color: t(`color.${node.color}`), move: node.move, points: node.lost.toFixed(1), best }));
      if (shown === signatureOf(node)) return;
      shown = signatureOf(node);
      lines.replaceChildren();
      setText(why, "");
      why.hidden = true;
      pictures.replaceChildren();
      load(node);
    },
  };
}

/** Black's lead with the better move and with the one that was played: their difference is what it lost. */
export function leadsOf({ before, color, lost }) {
  return [before.black_lead, before.black_lead - (color === "black" ? lost : -lost)];
}

/** Who owned what before the move, with the better one ringed, and after it, with the move itself. */
export function beforeAndAfter(game, { before, after, move }) {
  const figure = (name, side, ringed) =>
    h("figure", {}, miniBoard(game.size, side.stones, side.ownership, game.point(ringed)), h("figcaption", {}, t(`moment.${name}`)));
  return [figure("before", before, before.line[0]), figure("after", after, move)];
}

function signatureOf(node) {
  return `${node.id}:${node.lost}`;
}

/** Shows the line as ghost stones under pointer or focus, and plays it out as a branch when pressed. */
function lineButton(app, words, from, vertices, color, name) {
  const moves = vertices.map((vertex, i) => ({ point: app.game.point(vertex), vertex, color: i % 2 === 0 ? color : opposite(color) }));
  const look = () => app.showLine(moves);
  const away = () => app.showLine(null);
  return h("button", {
    type: "button", class: `button ${name}`, disabled: !vertices.length,
    onpointerenter: look, onfocus: look, onpointerleave: away, onblur: away, onclick: () => app.playLine(from, vertices),
  }, words, h("span", { class: "vertices" }, vertices.slice(0, 6).join(" ")));
}
