// The machines that think along: who is there, how fast, how far behind. Asked again every second while it is open.

import { h, setText } from "../dom.js";
import { t } from "../i18n/i18n.js";
import { openDialog } from "./dialog.js";

const AGAIN_MS = 1000;
const COLUMNS = ["machine", "threads", "playouts", "rate", "lag", "received", "state"];

export async function clusterDialog(app) {
  const summary = h("p", {});
  const rows = h("tbody", {});
  const table = h("table", { class: "machines" }, h("thead", {}, h("tr", {}, COLUMNS.map((name) => h("th", { scope: "col" }, t(`cluster.${name}`))))), rows);
  const nobody = h("p", { class: "hint" }, t("cluster.none"));
  const traffic = h("p", { class: "hint" });
  const { dialog } = openDialog(t("command.cluster"), h("div", {}, summary, table, nobody, traffic), "cluster");

  while (dialog.open) {
    const view = await app.askFor({ type: "cluster" }, "cluster");
    // The server is away; the page says so.
    if (!view) return;
    show(view);
    await new Promise((done) => setTimeout(done, AGAIN_MS));
  }

  function show(view) {
    setText(summary, t(view.searching ? "cluster.searching" : "cluster.waiting", { n: whole(view.playouts) }));
    rows.replaceChildren(...view.machines.map(row));
    table.hidden = view.machines.length === 0;
    nobody.hidden = !table.hidden;
    const flow = { inMessages: view.received.messages.toFixed(1), inKb: kilo(view.received.bytes), outMessages: view.sent.messages.toFixed(1), outKb: kilo(view.sent.bytes) };
    setText(traffic, t("cluster.traffic", { ...flow, dropped: view.dropped }));
  }
}

function row(machine) {
  const state = t(`cluster.${machine.state}`) + (machine.reason ? `: ${machine.reason}` : "");
  const numbers = [machine.threads, whole(machine.playouts), whole(machine.playouts_per_second), `${machine.lag_ms} ms`, `${kilo(machine.bytes)} kB`];
  return h("tr", { dataset: { state: machine.state } }, h("th", { scope: "row" }, machine.name), numbers.map((number) => h("td", {}, String(number))), h("td", {}, state));
}

function whole(number) {
  return Math.round(number).toLocaleString(document.documentElement.lang);
}

function kilo(bytes) {
  return (bytes / 1000).toFixed(1);
}
