// The page itself: takes what the gateway sends each second, and shows one flow of it.

const panels = new Map();
const events = [];
const MOST_EVENTS = 200;
const found = id => document.getElementById(id);
const announce = text => { found("said").textContent = text; };

/** Names of connection states that are numbers of now; others count since the start. */
const NOW = ["leased", "idle", "pending", "source_leased"];
const COLOURS = ["--l1", "--l3", "--l2", "--l5"];

const CHARTS = flow => {
  const held = NOW.filter(name => name in flow.connections);
  return [
    ["Rate", "a second", [{ name: "offered", label: "offered", colour: "--l6", dash: true }, { name: "answered", label: "answered", colour: "--l1", fill: true }], "wide"],
    ["Latency", "ms", [{ name: "p99", label: "p99", colour: "--l4" }, { name: "p90", label: "p90", colour: "--l2" }, { name: "p50", label: "p50", colour: "--l1" }], "wide"],
    ["In flight", "at the target", [{ name: "inFlight", label: "in flight", colour: "--l1", fill: true }, { name: "waiting", label: "waiting", colour: "--l2" }, { name: "limit", label: "limit", colour: "--l4", dash: true, step: true }]],
    ["Not answered", "a second", [{ name: "rejected", label: "rejected", colour: "--l2" }, { name: "failed", label: "failed", colour: "--l4" }, { name: "unknown", label: "unknown", colour: "--l5" }]],
    ["Connections", "to the target", held.map((name, i) => ({ name: `c_${name}`, label: words(name), colour: COLOURS[i] }))],
  ].filter(([, , lines]) => lines.length);
};

class Panel {
  constructor(flow) {
    this.name = flow.name;
    this.course = new Course();
    this.binds = element("p", "binds");
    this.way = element("p", "way");
    this.law = element("p", "law");
    this.stages = element("div");
    this.datagrams = element("section", "card");
    this.datagrams.hidden = true;
    this.charts = CHARTS(flow).map(([title, unit, lines, kind]) => new Chart(title, unit, lines, this.course, kind));
    this.settings = new SettingsTable(flow.name, announce);
    this.list = element("ol", "events");
    this.list.tabIndex = 0;
    this.list.setAttribute("aria-label", "Events, newest first");
    const happened = element("section", "card", element("h3", "", "Events"), this.list);
    this.root = element("article", "",
      element("div", "head", element("h2", "", flow.name), this.way), this.binds, this.law,
      this.section("Stages", "first", this.stages), this.datagrams,
      this.section("Over time", "", element("div", "charts", ...this.charts.map(chart => chart.root))),
      element("section", "two", this.settings.root, happened));
    this.root.setAttribute("aria-label", `Flow ${flow.name}`);
  }
  section(title, kind, inner) {
    return element("section", kind, element("h3", "unseen", title), inner);
  }
  /** Keeps what the flow is like now, whether it is shown or not. */
  add(flow, look) {
    const before = this.before;
    this.before = { account: flow.accounting, seconds: look.seconds };
    const apart = before ? look.seconds - before.seconds : 0;
    if (apart <= 0) return;
    const each = name => Math.max(0, (flow.accounting[name] - before.account[name]) / apart);
    const stage = name => flow.stages.find(one => one.stage === name);
    const point = { at: Date.parse(look.at) / 1000, inFlight: stage("target")?.in_flight ?? flow.accounting.in_flight, limit: stage("target")?.capacity || null, waiting: stage("queue")?.in_flight ?? null };
    for (const name of ["offered", "answered", "rejected", "failed", "unknown"]) point[name] = each(name);
    for (const name of ["p50", "p90", "p99"]) point[name] = flow.recent.flow?.[`${name}_ms`] ?? null;
    for (const name of NOW) if (name in flow.connections) point[`c_${name}`] = flow.connections[name];
    if (apart > 3) this.course.add({ at: point.at - apart + 0.001 });
    this.course.add(point);
  }
  update(flow) {
    this.tellWay(flow);
    this.tellBinds(flow);
    this.tellLaw(flow.accounting);
    const names = flow.stages.map(stage => stage.stage);
    if (this.row?.key !== names.join()) {
      this.row = new StageRow(names);
      this.stages.replaceChildren(this.row.root);
    }
    this.row.update(flow);
    this.tellDatagrams(flow);
    this.charts.forEach(chart => chart.update());
    this.settings.update(flow.settings);
  }
  tellWay(flow) {
    const text = `${flow.from} → ${flow.to}`;
    if (this.way.textContent !== text) this.way.replaceChildren(flow.from, element("b", "", " → "), flow.to);
  }
  /** The stage that binds is said aloud when it is another one, not each second. */
  tellBinds(flow) {
    const text = flow.bottleneck?.sentence ?? "";
    const colon = text.indexOf(":") + 1;
    const cut = flow.bottleneck?.stage && colon < 40 ? colon : 0;
    if (this.binds.textContent !== text) this.binds.replaceChildren(element("b", "", text.slice(0, cut)), text.slice(cut));
    const stage = flow.bottleneck?.stage ?? "";
    if (this.bound !== undefined && this.bound !== stage && !this.root.hidden) announce(text);
    this.bound = stage;
  }
  tellLaw(account) {
    const causes = Object.entries(account.causes).flatMap(([ending, counted]) => Object.entries(counted).map(([cause, count]) => `${ending} by ${cause} ${number(count)}`));
    const counts = ["offered", "answered", "rejected", "failed", "unknown", "in_flight"].map(name => `${words(name)} ${number(account[name])}`).join(", ");
    say(this.law, (account.holds ? "Every transaction is accounted for: " : "The accounting does not add up: ") + counts + (causes.length ? ` (${causes.join(", ")}).` : "."));
    mark(this.law, "bad", !account.holds);
  }
  tellDatagrams(flow) {
    const sent = Object.entries(flow.datagrams);
    const where = Object.entries(flow.lost);
    this.datagrams.hidden = !sent.length && !flow.advice.length;
    if (this.datagrams.hidden) return;
    const list = element("dl", "pairs");
    sent.forEach(([name, count]) => list.append(element("div", "", element("dt", "", words(name)), element("dd", "", number(count)))));
    const lost = where.filter(([, count]) => count);
    const total = lost.reduce((sum, [, count]) => sum + count, 0);
    const line = element("p", total ? "bad-line" : "note", total ? `${number(total)} lost: ${lost.map(([place, count]) => `${words(place)} ${number(count)}`).join(", ")}.` : "None lost.");
    this.datagrams.replaceChildren(element("h3", "", "Datagrams"), list, ...(where.length ? [line] : []), ...flow.advice.map(text => element("p", "bad-line", text)));
  }
  tellEvents() {
    const own = events.filter(event => !event.flow || event.flow === this.name);
    this.list.replaceChildren(...own.map(event => {
      const at = element("time", "", clock(event.at));
      at.dateTime = event.at;
      return element("li", "", at, element("p", "", element("span", `tag ${event.kind}`, event.kind), event.text));
    }));
    if (!own.length) this.list.append(element("li", "", element("time", "", ""), element("p", "note", "Nothing has happened yet that is worth telling.")));
  }
  show() {
    this.root.hidden = false;
    if (!this.root.isConnected) found("main").append(this.root);
    this.charts.forEach(chart => chart.draw());
    this.tellEvents();
  }
}

const state = (text, kind) => {
  say(found("state"), text);
  found("state").className = `state ${kind}`;
};

let look = null;
let shown = "";
const wanted = () => decodeURIComponent(location.hash.slice(1));

const choose = () => {
  const names = look.flows.map(flow => flow.name);
  const name = names.includes(wanted()) ? wanted() : names[0];
  const nav = found("flows");
  if (nav.dataset.names !== names.join()) {
    nav.dataset.names = names.join();
    nav.hidden = names.length < 2;
    nav.replaceChildren(...names.map(each => Object.assign(element("a", "", each), { href: `#${each}` })));
  }
  for (const link of nav.children) link.textContent === name ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  if (name !== shown) {
    panels.forEach(panel => { panel.root.hidden = true; });
    shown = name;
    document.title = `${name} · Penstock`;
    panels.get(name)?.show();
  }
};

const take = message => {
  look = message.look;
  for (const flow of look.flows) {
    if (!panels.has(flow.name)) panels.set(flow.name, new Panel(flow));
    panels.get(flow.name).add(flow, look);
  }
  const known = events[0]?.id ?? 0;
  const news = message.events.filter(event => event.id > known);
  events.unshift(...news.reverse());
  events.length = Math.min(events.length, MOST_EVENTS);
  choose();
  panels.get(shown)?.update(look.flows.find(flow => flow.name === shown));
  if (news.length) panels.get(shown)?.tellEvents();
  state({ ok: "running", draining: "draining: nothing new is let in" }[look.status] ?? look.status, look.status === "ok" ? "good" : "bad");
  document.documentElement.dataset.looks = Number(document.documentElement.dataset.looks ?? 0) + 1;
};

const watch = () => {
  const source = new EventSource("events");
  source.addEventListener("message", event => take(JSON.parse(event.data)));
  source.addEventListener("error", () => {
    state("the gateway does not answer", "bad");
    // The browser tries again by itself, unless it was refused.
    if (source.readyState === EventSource.CLOSED) setTimeout(watch, 3000);
  });
};

const redraw = () => panels.get(shown)?.charts.forEach(chart => chart.draw());
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
addEventListener("resize", () => panels.get(shown)?.charts.forEach(chart => chart.resize()));
addEventListener("hashchange", () => { if (look) { choose(); panels.get(shown)?.update(look.flows.find(flow => flow.name === shown)); } });
watch();
