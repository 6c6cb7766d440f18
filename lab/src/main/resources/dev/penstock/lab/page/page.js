// Replaces the static time plots with interactive uPlot charts, from the data embedded in the page: a shared cursor for all
// plots of a course, and toggles for its contestants. The static SVG is kept for print. All colours and dashes come from page.css.
(() => {
  'use strict';
  const root = document.documentElement;
  const SVG = 'http://www.w3.org/2000/svg';
  const WIDE = 12, NARROW = 0.4, GAP = 13, PHONE = 480;

  // ---- line styles: read from the style sheet through a hidden line
  const probe = document.createElementNS(SVG, 'svg');
  probe.setAttribute('class', 'hidden');
  probe.setAttribute('width', '0');
  probe.setAttribute('height', '0');
  document.body.append(probe);
  const styles = new Map();
  function styleOf(css) {
    if (!styles.has(css)) {
      const line = document.createElementNS(SVG, 'line');
      line.setAttribute('class', 'line ' + css);
      probe.append(line);
      const style = getComputedStyle(line);
      const dash = style.strokeDasharray === 'none' ? [] : style.strokeDasharray.split(/[ ,]+/).map(parseFloat);
      styles.set(css, { stroke: style.stroke, width: parseFloat(style.strokeWidth), dash });
      line.remove();
    }
    return styles.get(css);
  }
  const colour = name => getComputedStyle(root).getPropertyValue(name).trim();
  const font = (weight = 400) => weight + ' 11.5px ' + getComputedStyle(document.body).fontFamily;

  // ---- numbers and axes, formatted as in the static plots
  function number(v) {
    const size = Math.abs(v);
    if (size === 0) return '0';
    if (size >= 999.5) return v.toLocaleString('en-US', { maximumFractionDigits: 0 });
    if (size >= 9.995) return v.toFixed(1);
    if (size >= 0.0995) return v.toFixed(size >= 0.9995 ? 2 : 3);
    return v.toPrecision(2);
  }
  function niceStep(rough) {
    const power = 10 ** Math.floor(Math.log10(rough));
    return power * ([1, 2, 2.5, 5].find(s => rough <= s * power * 1.000001) || 10);
  }
  function linear(least, most) {
    const step = niceStep((most - least) / 5);
    let low = Math.floor(least / step + 1e-9) * step;
    if (least >= 0 && low < 0) low = 0;
    return { low, high: Math.ceil(most / step - 1e-9) * step, log: false };
  }
  function fitting(least, most, zero) {
    if (!(most >= least)) return { low: 0, high: 1, log: false };
    if (!zero && least > 0 && most / least > WIDE) return { low: least / 1.1, high: most * 1.1, log: true };
    if (!zero && least > 0 && least >= NARROW * most) {
      const room = Math.max(most - least, 0.02 * most) * 0.12;
      return linear(least - room, most + room);
    }
    return linear(Math.min(0, least), most > 0 ? most : 1);
  }
  function splits(low, high, log) {
    const marks = [];
    if (log) {
      const from = Math.floor(Math.log10(low)), to = Math.ceil(Math.log10(high));
      const digits = to - from <= 3 ? [1, 2, 5] : [1];
      const stride = Math.max(1, Math.floor((to - from + 6) / 7));
      for (let p = from; p <= to; p++) {
        for (const d of digits) {
          const v = d * 10 ** p;
          if (v >= low && v <= high && (p % stride + stride) % stride === 0) marks.push(Number(v.toPrecision(12)));
        }
      }
      return marks;
    }
    const step = niceStep((high - low) / 5);
    for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) marks.push(Number((i * step).toPrecision(12)));
    return marks;
  }
  const short = v => Math.abs(v) >= 1e6 ? Number((v / 1e6).toPrecision(6)) + 'M'
      : Math.abs(v) >= 1e5 ? Number((v / 1e3).toPrecision(6)) + 'k' : v.toLocaleString('en-US', { maximumFractionDigits: 6 });
  const seconds = (marks) => {
    const minutes = marks.length > 1 && marks[1] - marks[0] >= 60;
    return marks.map(s => minutes ? Number((s / 60).toFixed(2)) + ' min' : Number(s.toFixed(3)) + ' s');
  };

  // ---- labels at the ends of lines: they never overlap, and stay close to their lines
  function placeLabels(labels, height, most) {
    let kept = labels.slice(0, Math.min(most, Math.floor(height / GAP) + 1));
    kept.forEach((label, rank) => { label.rank = rank; });
    kept.sort((a, b) => a.end - b.end);
    for (;;) {
      const stretched = spread(kept, height).find(block => block.some(label => Math.abs(label.y - label.end) > 2 * GAP));
      if (!stretched) return kept;
      const least = stretched.reduce((a, b) => b.rank > a.rank ? b : a);
      kept = kept.filter(label => label !== least);
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

  // ---- one course: its plots, cursor and legend
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  document.body.append(tip);
  const courses = [];

  class Course {
    constructor(data) {
      this.data = data;
      this.box = document.querySelector(`[data-course="${data.id}"]`);
      this.off = new Set();
      this.plots = [];
      this.zooming = false;
      for (const plot of data.plots) this.plots.push(new TimePlot(this, plot));
      this.addToggles();
      courses.push(this);
    }

    addToggles() {
      const legend = this.box.querySelector('.legend');
      if (!legend) return;
      for (const item of legend.querySelectorAll('li')) {
        const button = document.createElement('button');
        button.type = 'button';
        button.setAttribute('aria-pressed', 'true');
        button.title = 'Show or hide; Shift+click shows only this one';
        button.append(...item.childNodes);
        item.append(button);
        const c = Number(item.dataset.c);
        button.addEventListener('click', event => event.shiftKey ? this.only([c]) : this.toggle(c));
      }
      const ours = [...legend.querySelectorAll('li')].filter(item => item.querySelector('.role.ours'));
      const add = (name, act) => {
        const item = document.createElement('li'), button = document.createElement('button');
        button.type = 'button';
        button.className = 'all';
        button.textContent = name;
        button.addEventListener('click', act);
        item.append(button);
        legend.append(item);
      };
      add('all', () => this.only(null));
      if (ours.length) add('only ours', () => this.only(ours.map(item => Number(item.dataset.c))));
    }

    toggle(c) {
      if (!this.off.delete(c)) this.off.add(c);
      this.show();
    }

    only(shown) {
      this.off.clear();
      if (shown) {
        for (const item of this.box.querySelectorAll('.legend li[data-c]')) {
          const c = Number(item.dataset.c);
          if (!shown.includes(c)) this.off.add(c);
        }
      }
      this.show();
    }

    show() {
      for (const item of this.box.querySelectorAll('.legend li[data-c]')) {
        item.querySelector('button').setAttribute('aria-pressed', String(!this.off.has(Number(item.dataset.c))));
      }
      for (const drawn of this.box.querySelectorAll('svg.static [data-c]')) {
        drawn.classList.toggle('off', this.off.has(Number(drawn.dataset.c)));
      }
      for (const plot of this.plots) plot.show(this.off);
    }

    zoom(from, low, high) {
      if (this.zooming) return;
      this.zooming = true;
      for (const plot of this.plots) if (plot.chart !== from) plot.chart.setScale('x', { min: low, max: high });
      this.zooming = false;
    }
  }

  class TimePlot {
    constructor(course, data) {
      this.course = course;
      this.data = data;
      this.figure = document.getElementById(data.id);
      this.frame = this.figure.querySelector('.frame');
      this.main = this.figure.classList.contains('main');
      // Penstock last, so that its line is drawn on top.
      this.lines = [...data.lines].sort((a, b) => a.ours - b.ours);
      this.draw();
      this.sized = new ResizeObserver(() => this.fit());
      this.sized.observe(this.frame);
    }

    draw() {
      if (this.chart) this.chart.destroy();
      const tables = this.lines.map(line => [this.course.data.times[line.t], line.v]);
      const same = this.lines.every(line => line.t === this.lines[0].t);
      const data = same ? [tables[0][0], ...tables.map(t => t[1])] : uPlot.join(tables);
      this.figure.classList.add('live');
      const width = this.frame.clientWidth;
      this.chart = new uPlot(this.options(width, data), data, this.frame);
      this.chart.root.setAttribute('role', 'img');
      this.chart.root.setAttribute('aria-label', this.figure.querySelector('svg.static > desc').textContent);
      this.chart.root.tabIndex = 0;
      this.chart.root.addEventListener('keydown', event => this.key(event));
      this.chart.root.addEventListener('blur', () => { tip.hidden = true; });
      this.chart.over.addEventListener('mouseleave', () => { tip.hidden = true; });
    }

    height() { return (this.main ? 280 : 150) + 48; }

    right(width) { return width < PHONE ? 14 : this.main ? 156 : 112; }

    options(width, data) {
      const rule = colour('--rule'), strong = colour('--strong'), soft = colour('--soft');
      const axis = { stroke: soft, font: font(), border: { show: false } };
      const plot = this;
      const range = fitting(...this.extent(data, 0, data[0].length - 1), this.data.zero);
      this.log = range.log;
      return {
        width, height: this.height(), pxAlign: true, legend: { show: false },
        padding: [22, this.right(width), 0, 0],
        scales: {
          x: { time: false, range: (u, low, high) => plot.zoomed(low, high) },
          y: { distr: range.log ? 3 : 1, range: (u, low, high) => plot.range(u, low, high) },
        },
        series: [{}, ...this.lines.map(line => {
          const css = styleOf(line.look);
          return {
            label: line.name, stroke: css.stroke, width: css.width, dash: css.dash, cap: 'round',
            show: !this.course.off.has(line.c), pxAlign: 0,
            points: { show: false, size: css.width + 2, fill: css.stroke, filter: (u, i) => isolated(u.data[i]) },
          };
        })],
        axes: [
          { ...axis, size: 26, gap: 5, space: 58, grid: { show: false }, ticks: { stroke: strong, width: 1, size: 4 },
            border: { show: true, stroke: strong, width: 1 },
            incrs: [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200], values: (u, marks) => seconds(marks) },
          { ...axis, size: width < PHONE ? 46 : 54, gap: 8, grid: { stroke: rule, width: 1 }, ticks: { show: false },
            splits: (u, i, low, high) => splits(low, high, plot.log), filter: (u, marks) => marks,
            values: (u, marks) => marks.map(short) },
        ],
        cursor: {
          sync: { key: this.course.data.id, setSeries: false, scales: ['x', null] },
          drag: { x: true, y: false, dist: 6 }, y: false,
          points: { size: (u, i) => u.series[i].width + 5, width: 0 },
        },
        hooks: {
          drawClear: [u => this.drawBands(u)],
          draw: [u => this.drawLabels(u)],
          setCursor: [u => this.showTip(u)],
          setScale: [(u, key) => { if (key === 'x' && u.status === 1) this.course.zoom(u, u.scales.x.min, u.scales.x.max); }],
        },
      };
    }

    zoomed(low, high) {
      // Without zoom, uPlot passes the ends of the data. The axis then starts at 0, the start of the load.
      const times = this.chart ? this.chart.data[0] : null;
      const whole = !times || low <= times[0] && high >= times[times.length - 1];
      return whole ? [0, this.data.end] : [low, high];
    }

    extent(data, from, to) {
      let least = Infinity, most = -Infinity;
      this.lines.forEach((line, i) => {
        if (this.course.off.has(line.c)) return;
        for (let k = from; k <= to; k++) {
          const v = data[i + 1][k];
          if (v != null) { least = Math.min(least, v); most = Math.max(most, v); }
        }
      });
      return [least, most];
    }

    range(u, low, high) {
      const times = u.data[0];
      let from = 0, to = times.length - 1;
      if (u.scales.x.min != null) {
        while (from < to && times[from] < u.scales.x.min) from++;
        while (to > from && times[to] > u.scales.x.max) to--;
      }
      const fit = fitting(...this.extent(u.data, from, to), this.data.zero);
      if (this.log && !fit.log) return fit.low > 0 ? [fit.low, fit.high] : [Math.max(low || 1, 1e-6) / 1.1, (high || 10) * 1.1];
      return [fit.low, fit.high];
    }

    drawBands(u) {
      const { ctx, bbox } = u, ratio = uPlot.pxRatio;
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, 0, bbox.width, bbox.top + bbox.height);
      ctx.clip();
      ctx.font = scaledFont(ratio);
      ctx.textAlign = 'center';
      ctx.textBaseline = 'alphabetic';
      let last = -Infinity;
      for (const [kind, from, to, hatched] of this.course.data.bands) {
        const left = u.valToPos(from, 'x', true), width = Math.max(u.valToPos(to, 'x', true) - left, 2 * ratio);
        if (left + width < bbox.left || left > bbox.left + bbox.width) continue;
        if (hatched) hatch(ctx, left, bbox.top, width, bbox.height, ratio);
        else {
          ctx.fillStyle = colour('--fault');
          ctx.fillRect(left, bbox.top, width, bbox.height);
        }
        const middle = left + width / 2, room = ctx.measureText(kind).width / 2 + 4 * ratio;
        if (middle - room > last && middle - room > bbox.left - 12 * ratio && middle + room < bbox.left + bbox.width) {
          ctx.fillStyle = colour('--soft');
          ctx.fillText(kind, middle, bbox.top - 6 * ratio);
          last = middle + room;
        }
      }
      ctx.restore();
    }

    drawLabels(u) {
      if (u.width < PHONE || this.lines[0].name === this.figure.querySelector('h4').textContent) return;
      const { ctx, bbox } = u, ratio = uPlot.pxRatio;
      const labels = [];
      this.lines.forEach((line, i) => {
        const values = u.data[i + 1];
        let k = values.length - 1;
        while (k >= 0 && (values[k] == null || u.data[0][k] > u.scales.x.max)) k--;
        if (u.series[i + 1].show && k >= 0) labels.push({ line, end: (u.valToPos(values[k], 'y', true) - bbox.top) / ratio });
      });
      const ours = labels.find(label => label.line.ours), middle = ours ? ours.end : 0;
      labels.sort((a, b) => b.line.ours - a.line.ours || Math.abs(b.end - middle) - Math.abs(a.end - middle));
      ctx.save();
      ctx.textAlign = 'left';
      ctx.textBaseline = 'middle';
      const right = bbox.left + bbox.width, letters = this.main ? 22 : 15;
      for (const label of placeLabels(labels, bbox.height / ratio, this.main ? Infinity : 4)) {
        const name = label.line.name, y = bbox.top + label.y * ratio;
        ctx.strokeStyle = styleOf(label.line.look).stroke;
        ctx.lineWidth = ratio;
        ctx.beginPath();
        ctx.moveTo(right + 3 * ratio, bbox.top + label.end * ratio);
        ctx.lineTo(right + 11 * ratio, y);
        ctx.stroke();
        ctx.font = scaledFont(ratio, label.line.ours ? 680 : 400);
        ctx.fillStyle = colour(label.line.ours ? '--accent' : '--ink');
        ctx.fillText(name.length <= letters ? name : name.slice(0, letters - 1) + '…', right + 15 * ratio, y);
      }
      ctx.restore();
    }

    showTip(u) {
      const event = u.cursor.event, i = u.cursor.idx;
      const here = event && u.over.contains(event.target) || document.activeElement === u.root;
      if (!here) return;
      if (i == null || u.cursor.left < 0) { tip.hidden = true; return; }
      const rows = this.lines.map((line, k) => ({ line, v: u.data[k + 1][i] }))
          .filter(row => row.v != null && !this.course.off.has(row.line.c))
          .sort((a, b) => b.v - a.v);
      const table = document.createElement('table'), caption = document.createElement('caption');
      caption.textContent = this.figure.querySelector('h4').textContent + ', until ' + number(u.data[0][i]) + ' s';
      table.append(caption);
      for (const { line, v } of rows) {
        const row = table.insertRow(), name = document.createElement('th');
        if (line.ours) row.className = 'ours';
        name.append(swatch(line.look), line.name);
        row.append(name);
        row.insertCell().textContent = number(v);
      }
      tip.replaceChildren(table);
      tip.hidden = false;
      const box = u.over.getBoundingClientRect(), size = tip.getBoundingClientRect();
      const x = box.left + u.cursor.left, y = box.top + Math.max(u.cursor.top, 0);
      tip.style.left = Math.max(8, x + 16 + size.width > innerWidth ? x - size.width - 16 : x + 16) + 'px';
      tip.style.top = Math.max(8, Math.min(y - size.height / 2, innerHeight - size.height - 8)) + 'px';
    }

    /** The arrow keys move the cursor, Escape undoes a zoom. */
    key(event) {
      const u = this.chart, step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (event.key === 'Escape') u.setScale('x', { min: u.data[0][0], max: u.data[0][u.data[0].length - 1] });
      if (!step) return;
      event.preventDefault();
      const i = u.cursor.idx == null ? 0 : Math.min(Math.max(u.cursor.idx + step, 0), u.data[0].length - 1);
      const at = { left: u.valToPos(u.data[0][i], 'x'), top: u.over.clientHeight / 3 };
      for (const plot of this.course.plots) plot.chart.setCursor(at, plot.chart === u);
    }

    show(off) {
      const extent = this.extent(this.chart.data, 0, this.chart.data[0].length - 1);
      if (fitting(...extent, this.data.zero).log !== this.log) {
        this.draw();
        return;
      }
      this.chart.batch(() => this.lines.forEach((line, i) => this.chart.setSeries(i + 1, { show: !off.has(line.c) }, false)));
    }

    fit() {
      const width = this.frame.clientWidth;
      if (width > 0 && width !== this.chart.width) {
        const phone = width < PHONE !== this.chart.width < PHONE;
        if (phone) this.draw();
        else this.chart.setSize({ width, height: this.height() });
      }
    }
  }

  function isolated(values) {
    const found = [];
    for (let i = 0; i < values.length; i++) if (values[i] != null && values[i - 1] == null && values[i + 1] == null) found.push(i);
    return found;
  }

  function scaledFont(ratio, weight) {
    return font(weight).replace('11.5px', 11.5 * ratio + 'px');
  }

  function hatch(ctx, left, top, width, height, ratio) {
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.strokeStyle = colour('--hatch');
    ctx.lineWidth = ratio;
    ctx.beginPath();
    for (let x = left - height; x < left + width; x += 8.5 * ratio) {
      ctx.moveTo(x, top + height);
      ctx.lineTo(x + height, top);
    }
    ctx.stroke();
    ctx.restore();
  }

  function swatch(css) {
    const svg = document.createElementNS(SVG, 'svg'), line = document.createElementNS(SVG, 'line');
    for (const [name, value] of [['width', 22], ['height', 8], ['class', 'swatch']]) svg.setAttribute(name, value);
    for (const [name, value] of [['x1', 1], ['x2', 21], ['y1', 4], ['y2', 4], ['class', 'line ' + css]]) line.setAttribute(name, value);
    svg.append(line);
    return svg;
  }

  function addCopyButton() {
    const command = document.getElementById('command'), button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(command.textContent);
        button.textContent = 'Copied';
      } catch {
        getSelection().selectAllChildren(command);
        button.textContent = 'Selected. Press Ctrl+C to copy';
      }
    });
    command.parentElement.after(button);
  }

  const data = JSON.parse(document.getElementById('data').textContent);
  for (const course of data.courses) new Course(course);
  addCopyButton();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    styles.clear();
    for (const course of courses) for (const plot of course.plots) plot.draw();
  });
  root.dataset.plots = String(document.querySelectorAll('.uplot canvas').length);
})();
