// The dashboard: receives a snapshot of the flows each second and shows one flow.

const panels = new Map();
const events = [];
const MAX_EVENTS = 200;
const found = id => document.getElementById(id);
const announce = text => { found("announcement").textContent = text; };

/** Connection states that are current numbers; others are counters since the start. */
const NOW = ["leased", "idle", "pending", "source_leased"];
const COLOURS = ["--l1", "--l3", "--l2", "--l5"];

const CHARTS = flow => {
  const current = NOW.filter(name => name in flow.connections);
  return [
    ["Rate", "per second", [{ name: "offered", label: "offered", colour: "--l6", dash: true }, { name: "answered", label: "answered", colour: "--l1", fill: true }], "wide"],
    ["Latency", "ms", [{ name: "p99", label: "p99", colour: "--l4" }, { name: "p90", label: "p90", colour: "--l2" }, { name: "p50", label: "p50", colour: "--l1" }], "wide"],
    ["In flight", "at the target", [{ name: "inFlight", label: "in flight", colour: "--l1", fill: true }, { name: "waiting", label: "waiting", colour: "--l2" }, { name: "limit", label: "limit", colour: "--l4", dash: true, step: true }]],
    ["Not answered", "per second", [{ name: "rejected", label: "rejected", colour: "--l2" }, { name: "failed", label: "failed", colour: "--l4" }, { name: "unknown", label: "unknown", colour: "--l5" }]],
    ["Connections", "to the target", current.map((name, i) => ({ name: `c_${name}`, label: words(name), colour: COLOURS[i] }))],
  ].filter(([, , lines]) => lines.length);
};

class Panel {
  constructor(flow) {
    this.name = flow.name;
    this.series = new TimeSeries();
    this.bottleneck = element("p", "bottleneck");
    this.way = element("p", "way");
    this.accounting = element("p", "account");
    this.answers = element("p", "account");
    this.problems = element("ul", "problems");
    this.reasons = element("ol", "events reasons");
    this.reasons.tabIndex = 0;
    this.reasons.setAttribute("aria-label", "The last reason of each cause, newest first");
    this.why = element("section", "card", element("h3", "", "Why transactions fail"), this.reasons);
    this.servers = element("section", "card");
    this.stages = element("div");
    this.datagrams = element("section", "card");
    this.datagrams.hidden = true;
    this.charts = CHARTS(flow).map(([title, unit, lines, kind]) => new Chart(title, unit, lines, this.series, kind));
    this.settings = new SettingsTable(flow.name, announce);
    this.range = new TimeRange(flow.name, this.series, this.charts);
    this.list = element("ol", "events");
    this.list.tabIndex = 0;
    this.list.setAttribute("aria-label", "Events, newest first");
    this.none = element("p", "note", "No events yet.");
    this.listed = 0;
    const happened = element("section", "card", element("h3", "", "Events"), this.list, this.none);
    this.root = element("article", "",
      element("div", "head", element("h2", "", flow.name), this.way), this.problems, this.bottleneck, this.accounting, this.answers,
      this.section("Stages", "first", this.stages), this.why, this.servers, this.datagrams,
      this.section("Over time", "", this.range.root, element("div", "charts", ...this.charts.map(chart => chart.root))),
      element("section", "two", this.settings.root, happened));
    this.root.setAttribute("aria-label", `Flow ${flow.name}`);
  }
  section(title, kind, ...inner) {
    return element("section", kind, element("h3", "visually-hidden", title), ...inner);
  }
  /** Adds the current snapshot of the flow, whether it is shown or not. */
  add(flow, snapshot) {
    const before = this.before;
    this.before = { account: flow.accounting, seconds: snapshot.seconds };
    const apart = before ? snapshot.seconds - before.seconds : 0;
    if (apart <= 0) return;
    const each = name => Math.max(0, (flow.accounting[name] - before.account[name]) / apart);
    const stage = name => flow.stages.find(one => one.stage === name);
    const point = { at: Date.parse(snapshot.at) / 1000, inFlight: stage("target")?.in_flight ?? flow.accounting.in_flight, limit: stage("target")?.capacity || null, waiting: stage("queue")?.in_flight ?? null };
    for (const name of ["offered", "answered", "rejected", "failed", "unknown"]) point[name] = each(name);
    for (const name of ["p50", "p90", "p99"]) point[name] = flow.recent.flow?.[`${name}_ms`] ?? null;
    for (const name of NOW) if (name in flow.connections) point[`c_${name}`] = flow.connections[name];
    if (apart > 3) this.series.add({ at: point.at - apart + 0.001 });
    this.series.add(point);
  }
  update(flow) {
    this.showRoute(flow);
    this.showBottleneck(flow);
    this.showAccounting(flow.accounting);
    this.showProblems(flow.problems);
    this.showReasons(flow.reasons);
    this.showAnswers(flow.answers);
    this.showServers(flow.servers);
    const names = flow.stages.map(stage => stage.stage);
    if (this.row?.key !== names.join()) {
      this.row = new StageRow(names);
      this.stages.replaceChildren(this.row.root);
    }
    this.row.update(flow);
    this.showDatagrams(flow);
    this.range.update(wanted(), Date.parse(snapshot.at) / 1000);
    this.settings.update(flow.settings);
  }
  showRoute(flow) {
    const text = `${flow.from} → ${flow.to}`;
    if (this.way.textContent !== text) this.way.replaceChildren(flow.from, element("b", "", " → "), flow.to);
  }
  /** A change of the bottleneck stage is announced to screen readers. */
  showBottleneck(flow) {
    const text = flow.bottleneck?.sentence ?? "";
    const colon = text.indexOf(":") + 1;
    const cut = flow.bottleneck?.stage && colon < 40 ? colon : 0;
    if (this.bottleneck.textContent !== text) this.bottleneck.replaceChildren(element("b", "", text.slice(0, cut)), text.slice(cut));
    const stage = flow.bottleneck?.stage ?? "";
    if (this.bottleneckStage !== undefined && this.bottleneckStage !== stage && !this.root.hidden) announce(text);
    this.bottleneckStage = stage;
  }
  showAccounting(account) {
    const causes = Object.entries(account.causes).flatMap(([ending, counted]) => Object.entries(counted).map(([cause, count]) => `${ending}, cause ${cause}: ${number(count)}`));
    const counts = ["offered", "answered", "rejected", "failed", "unknown", "in_flight"].map(name => `${words(name)} ${number(account[name])}`).join(", ");
    setText(this.accounting, (account.holds ? "Accounting balanced: " : "Accounting not balanced: ") + counts + (causes.length ? ` (${causes.join(", ")}).` : "."));
    mark(this.accounting, "bad", !account.holds);
  }
  showProblems(problems) {
    this.problems.hidden = !problems.length;
    const text = problems.join("\n");
    if (this.problemText === text) return;
    this.problemText = text;
    this.problems.replaceChildren(...problems.map(each => element("li", "bad-line", each)));
  }
  showReasons(reasons) {
    this.why.hidden = !reasons.length;
    const text = JSON.stringify(reasons);
    if (this.reasonText === text) return;
    this.reasonText = text;
    this.reasons.replaceChildren(...reasons.toSorted((a, b) => b.at.localeCompare(a.at)).map(one => element("li", "", timeOf(one.at),
      element("p", "", element("span", `tag ${one.ending}`, `${one.ending} (${one.cause})`), `${number(one.count)} × ${one.reason}`,
        element("span", "note", one.exceptions.join(" ← "))))));
  }
  /** The number of answers of the target by status. */
  showAnswers(answers) {
    const counts = Object.entries(answers).map(([status, count]) => `${status}: ${number(count)}`);
    this.answers.hidden = !counts.length;
    setText(this.answers, `Answers of the target by status: ${counts.join(", ")}.`);
  }
  /** The servers of the target, if it has several. */
  showServers(servers) {
    this.servers.hidden = !servers.length;
    if (this.servers.hidden) return;
    const row = one => [one.where, number(one.calls), number(one.failures), number(one.rejected), number(one.outstanding),
      one.ejected ? "ejected" : one.ejections ? `in use, ejected ${number(one.ejections)} time${one.ejections === 1 ? "" : "s"} before` : "in use"];
    const table = tableOf("Servers of the target", ["server", "calls", "failures", "rejected", "in flight", "state"], servers.map(row));
    servers.forEach((one, i) => mark(table.tBodies[0].rows[i], "bad", one.ejected));
    this.servers.replaceChildren(element("h3", "", "Servers"), element("div", "wide", table));
  }
  showDatagrams(flow) {
    const sent = Object.entries({ ...flow.messages, ...flow.datagrams });
    const where = Object.entries(flow.lost);
    this.datagrams.hidden = !sent.length && !flow.advice.length;
    if (this.datagrams.hidden) return;
    const list = element("dl", "pairs");
    sent.forEach(([name, count]) => list.append(element("div", "", element("dt", "", words(name)), element("dd", "", number(count)))));
    const lost = where.filter(([, count]) => count);
    const total = lost.reduce((sum, [, count]) => sum + count, 0);
    const line = element("p", total ? "bad-line" : "note", total ? `${number(total)} lost: ${lost.map(([place, count]) => `${words(place)} ${number(count)}`).join(", ")}.` : "None lost.");
    this.datagrams.replaceChildren(element("h3", "", Object.keys(flow.messages).length ? "Messages" : "Datagrams"), list, ...(where.length ? [line] : []), ...flow.advice.map(text => element("p", "bad-line", text)));
  }
  showEvents() {
    const own = events.filter(event => event.id > this.listed && (!event.flow || event.flow === this.name));
    this.listed = events[0]?.id ?? 0;
    this.list.prepend(...own.map(event =>
      element("li", "", momentOf(this.name, event.at), element("p", "", element("span", `tag ${event.kind}`, event.kind), event.text))));
    while (this.list.children.length > MAX_EVENTS) this.list.lastChild.remove();
    this.none.hidden = this.list.children.length > 0;
  }
  show() {
    this.root.hidden = false;
    if (!this.root.isConnected) found("main").prepend(this.root);
    this.charts.forEach(chart => chart.draw());
    this.showEvents();
  }
}

const state = (text, kind) => {
  setText(found("state"), text);
  found("state").className = `state ${kind}`;
};

let snapshot = null;
const fleets = new FleetTables();
let shown = "";

const choose = () => {
  const names = snapshot.flows.map(flow => flow.name);
  const { flow, range, at } = wanted();
  const name = names.includes(flow) ? flow : names[0];
  const nav = found("flows");
  if (nav.dataset.names !== names.join()) {
    nav.dataset.names = names.join();
    nav.hidden = names.length < 2;
    nav.replaceChildren(...names.map(each => element("a", "state", each)));
  }
  snapshot.flows.forEach((flow, i) => {
    const link = nav.children[i];
    link.href = linkTo(flow.name, range, at);
    mark(link, "good", !flow.problems.length);
    mark(link, "bad", flow.problems.length > 0);
    link.title = flow.problems[0] ?? "no problems";
  });
  for (const link of nav.children) link.textContent === name ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  if (name !== shown) {
    panels.forEach(panel => { panel.root.hidden = true; });
    shown = name;
    document.title = `${name} · Penstock`;
    panels.get(name)?.show();
  }
};

/** The state of the process: draining, or whether any flow has problems. */
const showState = () => {
  const failing = snapshot.flows.filter(flow => flow.problems.length).length;
  if (snapshot.status !== "ok") state({ draining: "draining: no new transactions" }[snapshot.status] ?? snapshot.status, "bad");
  else if (failing) state(snapshot.flows.length === 1 ? "running, with problems" : `running, ${failing} of ${snapshot.flows.length} flows with problems`, "bad");
  else state("running", "good");
};

const take = message => {
  if (!snapshot) found("main").append(fleets.root);
  if (!snapshot && PINS) found("main").append(new TransactionSearch(message.snapshot.flows.map(flow => flow.name)).root);
  snapshot = message.snapshot;
  for (const flow of snapshot.flows) {
    if (!panels.has(flow.name)) panels.set(flow.name, new Panel(flow));
    panels.get(flow.name).add(flow, snapshot);
  }
  const known = events[0]?.id ?? 0;
  const news = message.events.filter(event => event.id > known);
  events.unshift(...news.reverse());
  events.length = Math.min(events.length, MAX_EVENTS);
  choose();
  panels.get(shown)?.update(snapshot.flows.find(flow => flow.name === shown));
  if (news.length) panels.get(shown)?.showEvents();
  fleets.update(snapshot.fleets);
  showState();
  document.documentElement.dataset.looks = Number(document.documentElement.dataset.looks ?? 0) + 1;
};

const watch = () => {
  const source = new EventSource("events");
  source.addEventListener("message", event => take(JSON.parse(event.data)));
  source.addEventListener("error", () => {
    state("no connection", "bad");
    // The browser reconnects by itself, unless the server refused.
    if (source.readyState === EventSource.CLOSED) setTimeout(watch, 3000);
  });
};

const redraw = () => panels.get(shown)?.charts.forEach(chart => chart.draw());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
addEventListener("resize", () => panels.get(shown)?.charts.forEach(chart => chart.resize()));
addEventListener("hashchange", () => { if (snapshot) { choose(); panels.get(shown)?.update(snapshot.flows.find(flow => flow.name === shown)); } });
watch();
