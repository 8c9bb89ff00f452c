// The count as a small table: what each player's points are made of, and what decides.

import { h, setText } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { komiText } from "../numbers.js";

export function countPanel(app) {
  const cells = Object.fromEntries(["territory", "beside", "komi", "sum"].map((name) => [name, { black: h("td"), white: h("td") }]));
  const names = {};
  const row = (name) => {
    names[name] = h("th", { scope: "row" });
    return h("tr", { dataset: { row: name } }, names[name], cells[name].black, cells[name].white);
  };
  const rows = Object.keys(cells).map(row);
  const head = ["black", "white"].map((color) => h("th", { scope: "col" }, h("span", { class: `disc ${color}`, "aria-hidden": "true" }), t(`color.${color}`)));
  const how = h("p", { class: "why" });
  const element = h("section", { class: "count-card", "aria-label": t("count.title") }, h("table", { class: "players-table" }, h("thead", {}, h("tr", {}, h("td"), head)), h("tbody", {}, rows)), how);
  return {
    element,
    update() {
      const { counting, finalCount, position } = app.game;
      const count = counting?.isProposed ? counting : position?.is_live ? finalCount : null;
      element.hidden = !count;
      if (!count) return;
      const isArea = count.scoring === "area";
      setText(names.territory, t("count.territory"));
      setText(names.beside, t(isArea ? "count.stones" : "count.prisoners"));
      setText(names.komi, t("newGame.komi"));
      setText(names.sum, t("count.sum"));
      for (const color of ["black", "white"]) {
        setText(cells.territory[color], komiText(count.parts[color].territory));
        setText(cells.beside[color], String(count.parts[color].beside));
      }
      setText(cells.komi.black, "–");
      setText(cells.komi.white, komiText(count.komi));
      setText(cells.sum.black, komiText(count.black_points));
      setText(cells.sum.white, komiText(count.white_points + count.komi));
      setText(how, t(isArea ? "count.area" : "count.byTerritory") + (counting ? ` ${t("count.dispute")}` : ""));
    },
  };
}
