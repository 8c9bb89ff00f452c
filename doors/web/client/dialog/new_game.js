// The new-game dialog: every choice a player may want to make, with the last ones remembered.

import { h } from "../dom.js";
import { maybe, rankText, t } from "../i18n/i18n.js";
import { komiText } from "../numbers.js";
import { evenGame, levelCurve } from "../opponent.js";
import { field, openDialog, select } from "./dialog.js";
import { likeChoices, netChoices } from "./nets.js";

const SIZES = [9, 13, 19];
const CLOCKS = {
  none: [],
  absolute: ["main"],
  byoyomi: ["main", "period", "periods"],
  canadian: ["main", "period", "moves"],
  fischer: ["main", "increment"],
};
const CLOCK_DEFAULTS = { main: 10, period: 30, periods: 5, moves: 20, increment: 10 };

export function newGameDialog(app) {
  const { hello } = app.game;
  if (!hello) return;
  const choice = {
    size: 9, handicap: 0, komi: "", teacher: "", net: "", like: "", rules: "chinese", color: "black", level: hello.default_level, pace: "human", clock: "none",
    ...CLOCK_DEFAULTS, ...app.settings.get("newGame"),
  };
  const number = (name, min, max, step = 1) =>
    h("input", { type: "number", name, min, max, step, value: choice[name], inputMode: "decimal" });

  const komi = h("input", { type: "number", name: "komi", step: 0.5, min: -400, max: 400, value: choice.komi, inputMode: "decimal" });
  const showKomi = () => {
    const normal = Number(form.elements.handicap.value) > 0 ? 0.5 : hello.rules.find((rules) => rules.name === form.elements.rules.value)?.komi;
    komi.placeholder = t("newGame.komiUsual", { komi: komiText(normal ?? 0) });
  };
  const level = h("input", {
    type: "range", name: "level", min: hello.levels[0].level, max: hello.levels.at(-1).level, step: 1, value: choice.level, "aria-label": t("newGame.level"), oninput: () => showLevel(),
  });
  const levelText = h("output", { class: "level-text" });
  const showLevel = () => {
    const known = hello.levels.find((entry) => entry.level === Number(level.value));
    const net = form.elements.net?.value;
    levelText.textContent = known ? levelWords(known, net) : "";
    evenRow.hidden = Boolean(net);
  };
  const fair = evenGame(app);
  const beEven = () => {
    level.value = fair.level;
    form.elements.handicap.value = fair.handicap;
    if (fair.handicap) form.elements.color.value = "black";
    showKomi();
    showLevel();
  };
  const even = h("button", { type: "button", class: "button", dataset: { answer: "even" }, onclick: beEven }, t(fair.handicap ? "newGame.evenStones" : "newGame.even", { level: fair.level, stones: fair.handicap }));
  const evenRow = h("div", { class: "even-row" }, even, levelCurve(app));
  const levelField = h("div", { class: "field wide" }, h("span", { class: "field-name" }, t("newGame.level")), level, levelText, evenRow);
  // Whoever plays like somebody is as strong as that player, whatever the level.
  const like = field(t("newGame.like"), select("like", likeChoices(), choice.like, () => showLike()));
  const showLike = () => {
    like.hidden = !hello.nets?.some(({ name, people }) => people && name === form.elements.net?.value);
    levelField.hidden = !like.hidden && form.elements.like.value !== "";
    showLevel();
  };
  // Yesterday's net may have been thrown away since.
  const net = hello.nets?.some(({ name }) => name === choice.net) ? choice.net : "";
  const netField = (hello.nets?.length ?? 0) > 1 ? field(t("newGame.net"), select("net", netChoices(hello), net, () => showLike())) : null;
  const clockFields = h("div", { class: "clock-fields" });
  const showClock = (kind) => {
    const fields = { main: [0, 600], period: [1, 3600], periods: [1, 50], moves: [1, 100], increment: [1, 600] };
    clockFields.replaceChildren(...CLOCKS[kind].map((name) => field(t(`clock.${name}`), number(name, ...fields[name]))));
    clockFields.hidden = !CLOCKS[kind].length;
  };

  const form = h(
    "form",
    { class: "form", method: "dialog" },
    sizeChoice(hello, choice.size),
    field(t("newGame.color"), select("color", ["black", "white", "random", "both", "none"].map((c) => [c, t(`newGame.color.${c}`)]), choice.color)),
    field(t("newGame.pace"), select("pace", [["human", t("newGame.pace.human")], ["instant", t("newGame.pace.instant")]], choice.pace)),
    levelField,
    netField,
    netField && like,
    field(t("newGame.handicap"), select("handicap", handicaps(hello), choice.handicap, showKomi)),
    field(t("newGame.komi"), komi),
    field(t("newGame.rules"), select("rules", rulesets(hello), choice.rules, showKomi)),
    field(t("newGame.teacher"), select("teacher", [["", t("newGame.teacher.off")], ...[2, 4, 6, 10].map((n) => [n, t("newGame.teacher.from", { points: n })])], choice.teacher)),
    field(t("newGame.clock"), select("clock", Object.keys(CLOCKS).map((kind) => [kind, t(`clock.kind.${kind}`)]), choice.clock, showClock)),
    clockFields,
    h("div", { class: "row end wide" }, h("button", { class: "button primary", type: "submit", autofocus: true, dataset: { answer: "start" } }, t("newGame.start"))),
  );
  showKomi();
  showClock(choice.clock);
  showLike();

  const { close } = openDialog(t("command.newGame"), form, "new-game");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(form));
    if (values.size === "other") values.size = form.elements.otherSize.value;
    delete values.otherSize;
    // Komi follows from rules and handicap, so yesterday's is not kept.
    app.settings.set("newGame", { ...values, komi: "" });
    close();
    app.begin(newGameRequest({ ...values, like: like.hidden ? "" : values.like }));
  });
}

/** How strong a level is was measured with the usual net only. */
function levelWords(level, net) {
  const name = t(net ? "newGame.levelWithNet" : "newGame.levelIs", { level: level.level, rank: rankText(level.rank) });
  return level.playouts === null ? `${name} · ${t("newGame.levelFull")}` : name;
}

/** The rulesets that people ask for by name; the others are their close relatives. */
function rulesets(hello) {
  return hello.rules.map(({ name }) => [name, maybe(`rules.${name}`)]).filter(([, words]) => words);
}

function handicaps(hello) {
  const [from, to] = hello.handicaps;
  const all = [];
  for (let stones = from; stones <= to; stones++) all.push([stones, stones === 0 ? t("newGame.handicap.none") : stones === 1 ? t("newGame.handicap.one") : String(stones)]);
  return all;
}

function sizeChoice(hello, size) {
  const [least, most] = hello.sizes;
  const usual = SIZES.includes(Number(size));
  const other = h("input", { type: "number", name: "otherSize", min: least, max: most, value: usual ? 7 : size, "aria-label": t("newGame.size") });
  const radio = (value, words, checked) => {
    const input = h("input", { type: "radio", name: "size", value, checked });
    return h("label", { class: "segment" }, input, h("span", {}, words));
  };
  const otherRadio = radio("other", t("newGame.size.other"), !usual);
  other.addEventListener("focus", () => (otherRadio.firstChild.checked = true));
  return h(
    "fieldset",
    { class: "field wide" },
    h("legend", { class: "field-name" }, t("newGame.size")),
    h("div", { class: "segments" }, SIZES.map((n) => radio(n, `${n}×${n}`, usual && n === Number(size))), otherRadio, other),
  );
}

/** Minutes on the form, seconds on the wire. */
function newGameRequest(values) {
  const clock = { kind: values.clock };
  for (const name of CLOCKS[values.clock]) clock[name] = Number(values[name]) * (name === "main" ? 60 : 1);
  return {
    type: "new",
    size: Number(values.size),
    handicap: Number(values.handicap),
    komi: values.komi === "" ? null : Number(values.komi),
    rules: values.rules,
    color: values.color,
    level: Number(values.level),
    pace: values.pace,
    clock,
    teacher: values.teacher ? Number(values.teacher) : null,
    net: values.net || null,
    like: values.like || null,
  };
}
