// The last 24 hours: the points that the server keeps, of a range up to now or around a moment.

const RANGES = { "1h": ["1 h", 3600], "6h": ["6 h", 21600], "24h": ["24 h", 86400] };

/** The fragment, such as #payments;range=6h;at=2026-11-28T01:00:00.000Z. Without a range it shows the last minutes. */
const wanted = () => {
  const [flow, ...rest] = location.hash.slice(1).split(";");
  const { range, at } = Object.fromEntries(rest.map(each => each.split("=")));
  const moment = Date.parse(at?.replaceAll("%3A", ":")) / 1000 || null;
  return { flow, at: moment, range: Object.hasOwn(RANGES, range ?? "") ? range : moment ? "1h" : "" };
};
const linkTo = (flow, range, at) => `#${flow}${range ? `;range=${range}` : ""}${range && at ? `;at=${new Date(at * 1000).toISOString()}` : ""}`;
/** A time as a link to the charts of this moment. */
const momentOf = (flow, iso) => {
  const link = element("a", "", timeOf(iso));
  link.href = linkTo(flow, "1h", Date.parse(iso) / 1000);
  link.title = "the charts of this moment";
  return link;
};

class PastSeries extends TimeSeries {
  constructor(flow, range, at, now) {
    super();
    const [label, seconds] = RANGES[range];
    const end = at ? Math.min(now, at + seconds / 2) : now;
    Object.assign(this, { flow, range, at, label, shown: [end - seconds, end] });
  }
  span() { return this.shown; }
  step() { return Math.ceil(this.of("at").length / 12); }
  async load() {
    const [from, to] = this.shown.map(Math.round);
    const answer = await fetch(`history?flow=${this.flow}&from=${from}&to=${to}`, { signal: AbortSignal.timeout(30000) });
    const { every, columns, rows } = await answer.json();
    let before = Infinity;
    const add = row => columns.forEach((name, i) => (this.columns[name] ??= []).push(row[i] ?? null));
    for (const row of rows) {
      if (row[0] - before > 2.5 * every) add([before + every]);
      add(row);
      before = row[0];
    }
    this.words = `${this.at ? `Around ${since(new Date(this.at * 1000).toISOString())}. ` : ""}${rows.length ? `A point each ${every} s: rates are its mean, counts its highest.` : "No points yet."}`;
    return this;
  }
}

/** The links that choose a range, and the charts that show it. */
class TimeRange {
  constructor(flow, live, charts) {
    Object.assign(this, { flow, live, charts });
    this.note = element("p", "note");
    this.note.setAttribute("role", "status");
    this.links = ["", ...Object.keys(RANGES)].map(range => Object.assign(element("a", "", RANGES[range]?.[0] ?? "live"), { range }));
    this.nav = element("nav", "", ...this.links);
    this.nav.setAttribute("aria-label", "Time range");
    this.root = element("div", "ranges", this.nav, this.note);
  }
  /** Called each second; a range is read once a minute. */
  update({ range, at }, now) {
    const key = `${range} ${at} ${range ? Math.floor(now / 60) : ""}`;
    if (key !== this.key) {
      this.key = key;
      for (const link of this.links) {
        link.href = linkTo(this.flow, link.range, at);
        link.range === range ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
      }
      if (!range) this.show(this.live, "");
      else new PastSeries(this.flow, range, at, now).load().then(history => { if (this.key === key) this.show(history, history.words); },
        () => setText(this.note, "no answer; the next try is in a minute"));
    }
    if (this.charts[0].series === this.live) this.charts.forEach(chart => chart.update());
  }
  show(series, words) {
    setText(this.note, words);
    this.charts.forEach(chart => {
      chart.series = series;
      chart.update();
    });
  }
}
