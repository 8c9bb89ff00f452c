// The page: a slim bar, the board, and beside it (below it on a phone) one panel with three tabs.

import { h, setAttribute, setText } from "./dom.js";
import { gameName, t } from "./i18n/i18n.js";
import { commandButton } from "./button.js";
import { playersPanel } from "./panel/players.js";
import { statusPanel } from "./panel/status.js";
import { countPanel } from "./panel/count.js";
import { teacherPanel } from "./panel/teacher.js";
import { komiPanel } from "./panel/komi.js";
import { recordPanel } from "./panel/record.js";
import { walkBar } from "./panel/walk.js";
import { analysisPanel } from "./panel/analysis.js";
import { reviewPanel } from "./panel/review.js";
import { commentPanel } from "./panel/comment.js";
import { treePanel } from "./panel/tree.js";
import { welcomePanel } from "./panel/welcome.js";
import { gameGraph } from "./graph/game_graph.js";
import { komiCurve } from "./graph/komi_curve.js";
import { komiHistory } from "./graph/komi_history.js";

const TABS = ["play", "analyse", "review"];
const TOPICS = ["game", "nodes", "position", "status", "analysis", "review", "komi", "counting", "clock", "thinking", "settings"];

/** Builds the page around the board and returns every view that wants to hear of changes. */
export function buildPage(app, board, toasts) {
  const bar = ["newGame", "openRecord", "games"].map((name, i) => commandButton(app, name, { icon: ["plus", "open", "folder"][i], class: "quiet" }));
  const quiet = { words: false, class: "quiet" };
  const cluster = commandButton(app, "cluster", { ...quiet, icon: "machines" });
  const tools = [
    cluster,
    commandButton(app, "exportGame", { ...quiet, icon: "save" }),
    commandButton(app, "settings", { ...quiet, icon: "settings" }),
    commandButton(app, "theme", { ...quiet, icon: "moon", on: { icon: "sun" } }),
    commandButton(app, "shortcuts", { ...quiet, icon: "help" }),
  ];
  const title = h("span", { class: "title" });
  const connection = h("span", { class: "connection", role: "status", hidden: true }, t("connection.lost"));
  const storage = h("span", { class: "connection storage", role: "status", hidden: true }, t("storage.failed"));

  const comment = commentPanel(app);
  app.editComment = () => {
    app.settings.set("tab", "review");
    requestAnimationFrame(() => comment.edit());
  };
  const graph = gameGraph(app);
  const views = {
    walk: walkBar(app),
    players: playersPanel(app),
    status: statusPanel(app),
    teacher: teacherPanel(app),
    count: countPanel(app),
    welcome: welcomePanel(app),
    komi: komiPanel(app),
    record: recordPanel(app),
    analysis: analysisPanel(app),
    curve: komiCurve(app),
    history: komiHistory(app),
    review: reviewPanel(app),
    graph,
    tree: treePanel(app),
    comment,
  };
  const shownOn = {
    play: ["komi", "history", "graph", "tree", "comment", "record"],
    analyse: ["analysis", "graph", "curve", "history"],
    review: ["graph", "review", "tree", "comment", "record"],
  };

  const tabs = TABS.map((name) =>
    h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel", dataset: { tab: name }, onclick: () => app.settings.set("tab", name) }, t(`tab.${name}`)),
  );
  const tabBar = h("div", { class: "tabs", role: "tablist" }, tabs);
  const wrapped = Object.fromEntries(
    ["komi", "analysis", "graph", "review", "curve", "history", "tree", "comment", "record"].map((name) => [name, h("div", { class: "slot" }, views[name].element)]),
  );
  const panel = h("div", { id: "panel", class: "panel-body", role: "tabpanel" }, Object.values(wrapped));

  document.body.replaceChildren(
    h("header", { class: "bar" }, h("h1", { class: "brand" }, h("span", { class: "mark", "aria-hidden": "true" }), "Jigo"), bar.map((b) => b.element), title, connection, storage, h("span", { class: "spacer" }), tools.map((b) => b.element)),
    h(
      "main",
      { class: "page" },
      h("div", { class: "table" }, h("div", { class: "board-place" }, board.element), views.walk.element),
      h("aside", { class: "panel" }, views.welcome.element, views.players.element, views.status.element, views.count.element, views.teacher.element, tabBar, panel),
    ),
    toasts.element,
  );

  const always = [...bar, ...tools, views.walk, views.players, views.status, views.count, views.teacher, views.welcome];
  let shownTab = null;
  const chosen = () => app.settings.get("tab");
  return [
    ...always,
    {
      update(changed) {
        const { info } = app.game;
        const name = info ? gameName(info.name) : "";
        setText(title, name);
        const heading = info ? `${name} · Jigo` : "Jigo";
        if (document.title !== heading) document.title = heading;
        connection.hidden = app.isConnected !== false;
        storage.hidden = !app.game.storage;
        cluster.element.hidden = !app.game.hello?.cluster;
        document.body.dataset.tab = info ? chosen() : "";
        // Whoever guesses or trains is not to read the answer beside the board.
        tabBar.hidden = panel.hidden = !info || Boolean(app.guessing || app.training);
        tabs.forEach((tab) => setAttribute(tab, "aria-selected", String(tab.dataset.tab === chosen())));
        for (const [name, slot] of Object.entries(wrapped)) slot.hidden = !shownOn[chosen()].includes(name);
        // What nobody sees is not drawn; a tab that opens catches up.
        const news = chosen() === shownTab ? changed : new Set(TOPICS);
        shownTab = chosen();
        for (const name of shownOn[chosen()]) views[name].update(news);
      },
    },
  ];
}
