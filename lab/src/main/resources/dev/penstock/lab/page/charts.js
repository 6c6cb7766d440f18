// Charts: uPlot with the bands, points and names of this page. Colours and dashes come from page.css.
const WIDE = 12, NARROW = 0.4, GAP = 13, PHONE = 480, FONT = 11.5;

// ---- colours and line styles, read from the style sheet through a hidden line
const hiddenLine = s('line');
document.body.append(s('svg.hidden', { width: 0, height: 0, 'aria-hidden': true }, hiddenLine));
const colour = name => {
  hiddenLine.style.color = `var(${name})`;
  return getComputedStyle(hiddenLine).color;
};
const strokes = new Map();
function strokeOf(css) {
  if (!strokes.has(css)) {
    hiddenLine.setAttribute('class', 'line ' + css);
    const style = getComputedStyle(hiddenLine);
    const dash = style.strokeDasharray === 'none' ? [] : style.strokeDasharray.split(/[ ,]+/).map(parseFloat);
    strokes.set(css, { stroke: style.stroke, width: parseFloat(style.strokeWidth), dash });
  }
  return strokes.get(css);
}
const font = (weight = 400, ratio = 1) => `${weight} ${FONT * ratio}px ${getComputedStyle(document.body).fontFamily}`;

// ---- axes
function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 2.5, 5].find(step => rough <= step * power * 1.000001) || 10);
}
function linear(least, most) {
  const step = niceStep((most - least) / 5), low = Math.floor(least / step + 1e-9) * step;
  return { low: least >= 0 ? Math.max(low, 0) : low, high: Math.ceil(most / step - 1e-9) * step, log: false };
}

/** An axis for these values: logarithmic over a factor of more than 12, without 0 when they are close together. */
function fitting(least, most, zero) {
  if (!(most >= least)) return { low: 0, high: 1, log: false };
  if (!zero && least > 0 && most / least > WIDE) return { low: least / 1.1, high: most * 1.1, log: true };
  if (!zero && least > 0 && least >= NARROW * most) {
    const room = Math.max(most - least, 0.02 * most) * 0.12;
    return linear(least - room, most + room);
  }
  return linear(Math.min(0, least), most > 0 ? most : 1);
}
function ticks({ low, high, log }) {
  const marks = [], round = v => Number(v.toPrecision(12));
  if (log) {
    const from = Math.floor(Math.log10(low)), to = Math.ceil(Math.log10(high));
    const stride = Math.max(1, Math.floor((to - from + 6) / 7));
    for (let power = from; power <= to; power++) {
      for (const digit of to - from <= 3 ? [1, 2, 5] : [1]) {
        const v = round(digit * 10 ** power);
        if (v >= low && v <= high && power % stride === 0) marks.push(v);
      }
    }
    return marks;
  }
  const step = niceStep((high - low) / 5);
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) marks.push(round(i * step));
  return marks;
}
function tickLabel(v) {
  const short = (scaled, letter) => Number(scaled.toPrecision(6)) + letter;
  if (Math.abs(v) >= 1e6) return short(v / 1e6, 'M');
  return Math.abs(v) >= 1e5 ? short(v / 1e3, 'k') : v.toLocaleString('en-US', { maximumFractionDigits: 6 });
}
function timeLabels(marks) {
  const minutes = marks.length > 1 && marks[1] - marks[0] >= 60;
  return marks.map(at => minutes ? Number((at / 60).toFixed(2)) + ' min' : Number(at.toFixed(3)) + ' s');
}

// X axes: what uPlot plots is place(x); `marks` are its ticks, or undefined for seconds, which can be zoomed.
const timeAxis = most => ({
  title: 'seconds since the start of the load', low: 0, high: most > 0 ? most : 1, place: x => x, name: x => 'until ' + number(x) + ' s',
});

/** Percentiles: each decade towards 100 has the same length. */
function percentileAxis(most) {
  const place = percent => -Math.log10(1 - percent / 100);
  const marks = [0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999].filter(percent => percent <= most);
  return { title: 'percentile', low: 0, high: Math.max(most, 50), place, marks, name: x => 'p' + x };
}
function numberAxis(title, least, most) {
  const fit = fitting(least, most);
  return { ...fit, title, place: fit.log ? Math.log : x => x, marks: ticks(fit), name: x => number(x) + ' ' + title };
}

// ---- names at the ends of lines: they never overlap, and stay close to their lines. Names that would overlap share the room
// around (pool adjacent violators, Ayer et al., 1955). One that would be too far from its line is dropped, the last in rank first.
function placeLabels(labels, height, most = Infinity) {
  let kept = labels.slice(0, Math.min(most, Math.floor(height / GAP) + 1));
  kept.forEach((label, rank) => { label.rank = rank; });
  kept.sort((a, b) => a.end - b.end);
  for (;;) {
    const stretched = spread(kept, height).find(block => block.some(label => Math.abs(label.y - label.end) > 2 * GAP));
    if (!stretched) return kept;
    const last = stretched.reduce((a, b) => b.rank > a.rank ? b : a);
    kept = kept.filter(label => label !== last);
  }
}
function spread(down, height) {
  const blocks = [];
  const length = block => (block.length - 1) * GAP;
  const top = block => Math.min(
      Math.max(block.reduce((sum, label) => sum + label.end, 0) / block.length - length(block) / 2, 0),
      Math.max(0, height - length(block)));
  for (const label of down) {
    let block = [label];
    while (blocks.length && top(block) < top(blocks.at(-1)) + length(blocks.at(-1)) + GAP - 1e-9) block = [...blocks.pop(), ...block];
    blocks.push(block);
  }
  for (const block of blocks) block.forEach((label, i) => { label.y = top(block) + i * GAP; });
  return blocks;
}

// ---- the charts of a course: they share the set of hidden contestants, and those over time the cursor and the zoom
const tip = h('div.tip', { hidden: '' });
document.body.append(tip);

class Charts {
  constructor(course) {
    this.course = course;
    this.off = new Set();
    this.all = [];
    this.zooming = false;
  }

  /** Adds a chart; returns its figure. See Chart for the properties. */
  add(spec) {
    this.all.push(new Chart(this, spec));
    return this.all.at(-1).figure;
  }

  overTime() { return this.all.filter(chart => chart.sync); }

  /** The names of the contestants, as buttons that show and hide them. */
  legend() {
    const button = (css, act, ...parts) => {
      const made = h('button' + css, { type: 'button' }, ...parts);
      made.addEventListener('click', act);
      return made;
    };
    const { contestants, styles } = this.course;
    const only = shown => this.show(new Set([...contestants.keys()].filter(c => !shown(c))));
    const isOurs = c => contestants[c].role === 'ours', isOff = c => this.off.has(c);
    this.buttons = contestants.map((contestant, c) => button('',
        event => only(other => event.shiftKey ? other === c : isOff(other) === (other === c)),
        { 'aria-pressed': true, title: 'Show or hide; Shift+click shows only this one' },
        swatch(styles[c]), h('span', contestant.name), role(contestant)));
    return h('ul.legend', { 'aria-label': 'Lines' }, this.buttons.map(made => h('li', made)),
        h('li', button('.all', () => only(() => true), 'all')),
        contestants.some((one, c) => isOurs(c)) && h('li', button('.all', () => only(isOurs), 'only ours')));
  }

  show(off) {
    this.off = off;
    this.buttons.forEach((button, c) => button.setAttribute('aria-pressed', !off.has(c)));
    for (const chart of this.all) chart.show();
  }

  zoom(from, low, high) {
    if (this.zooming) return;
    this.zooming = true;
    for (const { plot } of this.overTime()) if (plot !== from) plot.setScale('x', { min: low, max: high });
    this.zooming = false;
  }
}

/**
 * id, title, unit, main: whether it is large, zero: whether the y axis starts at 0, sync: whether it is over time,
 * x: its axis, describe: what screen readers say,
 * bands: { kind, from, to, look: 'hatch', 'fault' or 'noise', mark: a vertical line },
 * lines: { name, style, ours, c: the contestant, xs, ys, free: does not fit the axes,
 *   points: 'ring', 'disc' or 'cross' instead of a line, label: name beside the point, text: of a value, by its index }
 */
class Chart {
  constructor(charts, spec) {
    Object.assign(this, { charts, bands: [], ...spec });
    // Ours last, so that its line is drawn on top.
    this.lines = spec.lines.toSorted((a, b) => Boolean(a.ours) - Boolean(b.ours));
    this.named = this.lines.length > 1 && !this.lines.some(line => line.points);
    this.names = h('ul.names', charts.buttons || !this.named ? [] : spec.lines.map(line => h('li', swatch(line.style), line.name)));
    this.frame = h('div.frame');
    this.notes = h('span.unit');
    this.figure = h(this.main ? 'figure.plot.main' : 'figure.plot', { id: this.id },
        h('figcaption', h('h4', this.title), this.notes), this.names, this.frame);
  }

  /** Draws it, once it is in the page. */
  start() {
    this.draw();
    // In the next frame: drawing within the callback could resize what is observed.
    new ResizeObserver(() => requestAnimationFrame(() => this.fit())).observe(this.frame);
  }

  draw() {
    this.plot?.destroy();
    const { place } = this.x;
    const data = uPlot.join(this.lines.map(line => [line.xs.map(place), line.ys]));
    this.xs = uPlot.join(this.lines.map(line => [line.xs, line.ys]))[0];
    this.log = fitting(...this.extent(data), this.zero).log;
    this.notes.textContent = [this.unit, this.log && 'logarithmic', this.showX && 'x axis: ' + this.x.title, this.x.log && 'logarithmic']
        .filter(Boolean).join(', ');
    this.plot = new uPlot(this.options(this.frame.clientWidth, data), data, this.frame);
    const image = this.plot.root;
    image.setAttribute('role', 'img');
    image.setAttribute('aria-label', this.describe());
    image.tabIndex = 0;
    image.addEventListener('keydown', event => this.pressed(event));
    image.addEventListener('blur', () => { tip.hidden = true; });
    this.plot.over.addEventListener('mouseleave', () => { tip.hidden = true; });
  }

  height() { return (this.main ? 280 : 150) + 48; }

  options(width, data) {
    const { x } = this, phone = width < PHONE;
    this.names.hidden = !phone;
    const rule = colour('--rule'), strong = colour('--strong');
    const axis = { stroke: colour('--soft'), font: font(), border: { show: false } };
    return {
      width, height: this.height(), pxAlign: true, legend: { show: false },
      padding: [22, phone ? 14 : this.main ? 156 : 112, 0, 0],
      scales: {
        x: { time: false, range: (u, low, high) => this.rangeX(low, high) },
        y: { distr: this.log ? 3 : 1, range: (u, low, high) => this.rangeY(u, low, high) },
      },
      series: [{}, ...this.lines.map((line, i) => {
        const { stroke, width, dash } = strokeOf(line.style);
        return {
          label: line.name, stroke, width, dash, cap: 'round', show: !this.charts.off.has(line.c), pxAlign: 0,
          paths: line.points ? () => null : undefined,
          points: { show: false, size: width + 2, fill: stroke, filter: () => line.points ? [] : isolated(data[i + 1]) },
        };
      })],
      axes: [
        { ...axis, size: 26, gap: 5, space: 58, grid: { show: false }, ticks: { stroke: strong, width: 1, size: 4 },
          border: { show: true, stroke: strong, width: 1 },
          ...x.marks
              ? { splits: () => x.marks.map(x.place), filter: (u, marks) => marks, values: () => x.marks.map(tickLabel) }
              : { incrs: [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200], values: (u, marks) => timeLabels(marks) },
        },
        { ...axis, size: phone ? 46 : 54, gap: 8, grid: { stroke: rule, width: 1 }, ticks: { show: false },
          splits: (u, i, low, high) => ticks({ low, high, log: this.log }), filter: (u, marks) => marks, values: (u, marks) => marks.map(tickLabel) },
      ],
      cursor: {
        sync: this.sync ? { key: this.charts.course.id, setSeries: false, scales: ['x', null] } : undefined,
        drag: { x: Boolean(this.sync), y: false, dist: 6 }, y: false,
        points: { size: (u, i) => u.series[i].width + 5, width: 0 },
      },
      hooks: {
        drawClear: [u => this.drawBands(u)],
        draw: [u => { this.drawPoints(u); this.drawLabels(u); }],
        setCursor: [u => this.showTip(u)],
        setScale: [(u, key) => { if (this.sync && key === 'x' && u.status === 1) this.charts.zoom(u, u.scales.x.min, u.scales.x.max); }],
      },
    };
  }

  rangeX(low, high) {
    // Without zoom, uPlot passes the ends of the data. A time axis then starts at 0, the start of the load.
    const times = this.plot?.data[0];
    const whole = !this.sync || !times || low <= times[0] && high >= times.at(-1);
    return whole ? [this.x.place(this.x.low), this.x.place(this.x.high)] : [low, high];
  }

  extent(data, from = 0, to = data[0].length - 1) {
    let least = Infinity, most = -Infinity;
    this.lines.forEach((line, i) => {
      if (line.free || this.charts.off.has(line.c)) return;
      for (let k = from; k <= to; k++) {
        const v = data[i + 1][k];
        if (v != null) [least, most] = [Math.min(least, v), Math.max(most, v)];
      }
    });
    return [least, most];
  }

  rangeY(u, low, high) {
    const times = u.data[0], { min, max } = u.scales.x;
    let from = 0, to = times.length - 1;
    if (this.sync && min != null) {
      while (from < to && times[from] < min) from++;
      while (to > from && times[to] > max) to--;
    }
    const fit = fitting(...this.extent(u.data, from, to), this.zero);
    if (this.log && !(fit.low > 0)) return [Math.max(low || 1, 1e-6) / 1.1, (high || 10) * 1.1];
    return [fit.low, fit.high];
  }

  drawBands(u) {
    const { ctx, bbox } = u, ratio = uPlot.pxRatio, at = x => u.valToPos(this.x.place(x), 'x', true);
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, 0, bbox.width, bbox.top + bbox.height);
    ctx.clip();
    ctx.font = font(400, ratio);
    ctx.textAlign = 'center';
    ctx.textBaseline = 'alphabetic';
    let last = -Infinity;
    for (const { kind, from, to, look, mark } of this.bands) {
      const left = at(from), width = Math.max(at(to) - left, 2 * ratio), area = [left, bbox.top, width, bbox.height];
      if (left + width < bbox.left || left > bbox.left + bbox.width) continue;
      ctx.fillStyle = look === 'hatch' ? hatch(ctx, ratio) : colour('--' + look);
      ctx.fillRect(...area);
      if (mark != null) {
        ctx.fillStyle = colour('--accent');
        for (let y = bbox.top; y < bbox.top + bbox.height; y += 5 * ratio) ctx.fillRect(at(mark), y, ratio, 2 * ratio);
      }
      const middle = mark == null ? left + width / 2 : at(mark), room = ctx.measureText(kind).width / 2 + 4 * ratio;
      if (middle - room > last && middle - room > bbox.left - 12 * ratio && middle + room < bbox.left + bbox.width) {
        ctx.fillStyle = colour('--soft');
        ctx.fillText(kind, middle, bbox.top - 6 * ratio);
        last = middle + room;
      }
    }
    ctx.restore();
  }

  drawPoints(u) {
    const { ctx } = u, ratio = uPlot.pxRatio, size = 4.5 * ratio, labels = [];
    ctx.save();
    ctx.lineWidth = 2 * ratio;
    ctx.textBaseline = 'middle';
    this.lines.forEach((line, i) => {
      if (!line.points || !u.series[i + 1].show) return;
      ctx.strokeStyle = line.points === 'cross' ? colour('--bad') : strokeOf(line.style).stroke;
      ctx.fillStyle = line.points === 'disc' ? ctx.strokeStyle : colour('--paper');
      u.data[i + 1].forEach((value, k) => {
        if (value == null) return;
        const x = u.valToPos(u.data[0][k], 'x', true), y = u.valToPos(value, 'y', true);
        ctx.beginPath();
        if (line.points === 'cross') {
          for (const way of [1, -1]) { ctx.moveTo(x - size, y - way * size); ctx.lineTo(x + size, y + way * size); }
        } else {
          ctx.arc(x, y, size, 0, 2 * Math.PI);
          ctx.fill();
        }
        ctx.stroke();
        if (line.label) labels.push({ line, x, y });
      });
    });
    // A name that would cover another one moves down; one without room on the right stands on the left.
    labels.sort((a, b) => a.y - b.y).forEach(({ line, x, y }, i) => {
      for (const other of labels.slice(0, i)) {
        if (Math.abs(other.x - x) < 0.16 * u.bbox.width && y - other.at < 14 * ratio) y = other.at + 14 * ratio;
      }
      labels[i].at = y;
      ctx.font = font(line.ours ? 680 : 400, ratio);
      ctx.fillStyle = colour(line.ours ? '--accent' : '--ink');
      const fits = x + 10 * ratio + ctx.measureText(line.name).width < ctx.canvas.width;
      ctx.textAlign = fits ? 'left' : 'right';
      ctx.fillText(line.name, x + (fits ? 10 : -10) * ratio, y);
    });
    ctx.restore();
  }

  drawLabels(u) {
    if (u.width < PHONE || !this.named) return;
    const { ctx, bbox } = u, ratio = uPlot.pxRatio, labels = [];
    this.lines.forEach((line, i) => {
      const values = u.data[i + 1];
      const k = values.findLastIndex((v, k) => v != null && u.data[0][k] <= u.scales.x.max);
      if (u.series[i + 1].show && k >= 0) labels.push({ line, end: (u.valToPos(values[k], 'y', true) - bbox.top) / ratio });
    });
    // Ours first, then the lines that end furthest from it.
    const middle = labels.find(label => label.line.ours)?.end ?? 0;
    labels.sort((a, b) => Boolean(b.line.ours) - Boolean(a.line.ours) || Math.abs(b.end - middle) - Math.abs(a.end - middle));
    ctx.save();
    ctx.textAlign = 'left';
    ctx.textBaseline = 'middle';
    const right = bbox.left + bbox.width, letters = this.main ? 22 : 15;
    for (const { line, end, y } of placeLabels(labels, bbox.height / ratio, this.main ? Infinity : 4)) {
      ctx.strokeStyle = strokeOf(line.style).stroke;
      ctx.lineWidth = ratio;
      ctx.beginPath();
      ctx.moveTo(right + 3 * ratio, bbox.top + end * ratio);
      ctx.lineTo(right + 11 * ratio, bbox.top + y * ratio);
      ctx.stroke();
      ctx.font = font(line.ours ? 680 : 400, ratio);
      ctx.fillStyle = colour(line.ours ? '--accent' : '--ink');
      ctx.fillText(line.name.length <= letters ? line.name : line.name.slice(0, letters - 1) + '…', right + 15 * ratio, bbox.top + y * ratio);
    }
    ctx.restore();
  }

  /** The values at the cursor, the largest first. */
  showTip(u) {
    const { event, idx: i, left, top } = u.cursor;
    if (!(event && u.over.contains(event.target)) && document.activeElement !== u.root) return;
    if (i == null || left < 0) { tip.hidden = true; return; }
    const rows = this.lines.map((line, k) => ({ line, v: u.data[k + 1][i] }))
        .filter(({ line, v }) => v != null && !this.charts.off.has(line.c))
        .sort((a, b) => b.v - a.v);
    tip.replaceChildren(h('table', h('caption', this.title + ', ' + this.x.name(this.xs[i])), rows.map(({ line, v }) =>
        h(line.ours ? 'tr.ours' : 'tr', h('th', swatch(line.style), line.name), h('td', line.text?.(line.xs.indexOf(this.xs[i])) ?? number(v))))));
    tip.hidden = false;
    const box = u.over.getBoundingClientRect(), size = tip.getBoundingClientRect();
    const x = box.left + left, y = box.top + Math.max(top, 0);
    tip.style.left = Math.max(8, x + 16 + size.width > innerWidth ? x - size.width - 16 : x + 16) + 'px';
    tip.style.top = Math.max(8, Math.min(y - size.height / 2, innerHeight - size.height - 8)) + 'px';
  }

  /** The arrow keys move the cursor, Escape undoes a zoom. */
  pressed(event) {
    const u = this.plot, times = u.data[0], step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === 'Escape') u.setScale('x', { min: times[0], max: times.at(-1) });
    if (!step) return;
    event.preventDefault();
    const i = u.cursor.idx == null ? 0 : Math.min(Math.max(u.cursor.idx + step, 0), times.length - 1);
    for (const { plot } of this.sync ? this.charts.overTime() : [this]) {
      plot.setCursor({ left: plot.valToPos(times[i], 'x'), top: plot.over.clientHeight / 3 }, plot === u);
    }
  }

  show() {
    if (fitting(...this.extent(this.plot.data), this.zero).log !== this.log) this.draw();
    else this.plot.batch(() => this.lines.forEach((line, i) => this.plot.setSeries(i + 1, { show: !this.charts.off.has(line.c) }, false)));
  }

  fit() {
    const width = this.frame.clientWidth;
    if (width === 0 || width === this.plot.width) return;
    if (width < PHONE !== this.plot.width < PHONE) this.draw();
    else this.plot.setSize({ width, height: this.height() });
  }
}

/** The values between two unknown ones, which a line cannot show. Undefined only means that another line has a value there. */
function isolated(values) {
  const own = [...values.keys()].filter(i => values[i] !== undefined);
  return own.filter((i, k) => values[i] != null && values[own[k - 1]] == null && values[own[k + 1]] == null);
}

function hatch(ctx, ratio) {
  const tile = document.createElement('canvas'), size = Math.round(8 * ratio);
  tile.width = tile.height = size;
  const lines = tile.getContext('2d');
  lines.strokeStyle = colour('--hatch');
  lines.lineWidth = ratio;
  for (const x of [-size, 0, size]) { lines.moveTo(x, size); lines.lineTo(x + size, 0); }
  lines.stroke();
  return ctx.createPattern(tile, 'repeat');
}
