// Charts over time. The page keeps one point per second for the last ten minutes.

const KEPT = 600;
const SHOWN = 300;
const MIN_SHOWN = 60;

/** The history of a flow: a column for each number, one value per second, oldest first. */
class TimeSeries {
  constructor() { this.columns = { at: [] }; }
  add(point) {
    const length = this.columns.at.length;
    for (const name of Object.keys(point)) this.columns[name] ??= Array(length).fill(null);
    for (const [name, column] of Object.entries(this.columns)) {
      column.push(point[name] ?? null);
      if (column.length > KEPT) column.shift();
    }
  }
  of(name) { return this.columns[name] ?? Array(this.columns.at.length).fill(null); }
  last(name) { return this.of(name).at(-1); }
  /** The first and the last moment to show. */
  span() {
    const at = this.of("at");
    const end = at.at(-1) ?? Date.now() / 1000;
    return [Math.max(end - SHOWN, Math.min(at[0] ?? end, end - MIN_SHOWN)), end];
  }
  /** A table has each of so many points. */
  step() { return 5; }
}

/** One chart: title, legend with the current values or those at the cursor, plot, and a table of the data. */
class Chart {
  constructor(title, unit, lines, series, kind = "") {
    Object.assign(this, { title, unit, lines, series });
    this.legend = element("ul", "legend");
    this.values = lines.map(line => {
      const swatch = element("i", line.dash ? "dash" : "");
      swatch.style.borderTopColor = `var(${line.colour})`;
      const value = element("b");
      this.legend.append(element("li", "", swatch, line.label, value));
      return value;
    });
    this.legend.setAttribute("aria-hidden", "true");
    this.frame = element("div", "plot");
    this.frame.setAttribute("role", "img");
    this.details = element("details", "", element("summary", "", "As a table"));
    this.details.addEventListener("toggle", () => this.updateLegend());
    this.root = element("figure", `chart ${kind}`, element("figcaption", "", title, " ", element("span", "", unit)), this.legend, this.frame, this.details);
    this.cursor = null;
  }
  show(value) { return this.unit === "ms" ? time(value) : number(value); }
  data() { return [this.series.of("at"), ...this.lines.map(line => this.series.of(line.name))]; }
  /** A line at the moment that is shown. */
  markMoment(plot) {
    if (!this.series.at) return;
    plot.ctx.fillStyle = colour("--l4");
    plot.ctx.fillRect(Math.round(plot.valToPos(this.series.at, "x", true)), plot.bbox.top, devicePixelRatio, plot.bbox.height);
  }
  draw() {
    this.plot?.destroy();
    const axis = { stroke: colour("--soft"), font: "11px system-ui, sans-serif", grid: { stroke: colour("--rule"), width: 1 }, ticks: { show: false } };
    const one = line => {
      const stroke = colour(line.colour);
      return {
        stroke, width: line.dash ? 1.5 : 2, dash: line.dash ? [5, 4] : undefined, points: { show: false },
        fill: line.fill ? stroke + "1f" : undefined, paths: line.step ? uPlot.paths.stepped({ align: 1 }) : undefined,
      };
    };
    this.plot = new uPlot({
      width: Math.max(120, this.frame.clientWidth), height: 168, pxAlign: 1, legend: { show: false },
      padding: [8, 6, 0, 0],
      cursor: { drag: { x: false, y: false }, points: { size: 7 }, y: false },
      scales: {
        x: { time: true, range: () => this.series.span() },
        y: { range: (_, low, high) => [0, Math.max(high ?? 0, this.unit === "ms" ? 1 : 4) * 1.12] },
      },
      axes: [
        { ...axis, space: 70, size: 26, gap: 4, values: (_, all) => all.map(at => clock(at * 1000).slice(0, this.series.label ? 5 : 8)) },
        { ...axis, space: 34, size: 50, gap: 6, values: (_, all) => all.map(value => value && this.unit === "ms" ? time(value) : number(value)) },
      ],
      series: [{}, ...this.lines.map(one)],
      hooks: { setCursor: [plot => { this.cursor = plot.cursor.idx; this.updateLegend(); }], draw: [plot => this.markMoment(plot)] },
    }, this.data(), this.frame);
    this.plot.over.addEventListener("click", () => {
      const { flow, range } = this.series;
      if (range && this.cursor !== null) location.hash = linkTo(flow, range, this.series.of("at")[this.cursor]);
    });
  }
  resize() { this.plot?.setSize({ width: Math.max(120, this.frame.clientWidth), height: 168 }); }
  update() {
    this.plot?.setData(this.data());
    this.updateLegend();
  }
  /** Updates the legend: values at the cursor, or the current ones. */
  updateLegend() {
    const now = this.lines.map(line => this.series.last(line.name));
    const at = this.cursor ?? undefined;
    this.lines.forEach((line, i) => setText(this.values[i], this.show(at === undefined ? now[i] : this.series.of(line.name)[at])));
    const all = this.lines.map((line, i) => `${line.label} ${this.show(now[i])}`).join(", ");
    this.frame.setAttribute("aria-label", `${this.title} over ${this.series.label ?? "time"}, ${this.unit}. ${this.series.label ? "Last" : "Now"}: ${all}.`);
    if (this.details.open) this.table();
  }
  /** Twelve rows, newest first: of the last minute, or of the range. */
  table() {
    const at = this.series.of("at");
    const rows = [];
    for (let i = at.length - 1; i >= 0 && rows.length < 12; i -= this.series.step()) {
      rows.push([clock(at[i] * 1000), ...this.lines.map(line => this.show(this.series.of(line.name)[i]))]);
    }
    const made = tableOf(`${this.title}, ${this.unit}`, ["at", ...this.lines.map(line => line.label)], rows);
    this.details.querySelector("table")?.remove();
    this.details.append(made);
  }
}
