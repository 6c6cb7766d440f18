// Elements and numbers. The files of this folder are one script: elements.js, charts.js, page.js.
'use strict';
const root = document.documentElement;
const SVG = 'http://www.w3.org/2000/svg';
const UNKNOWN = 'n/a';

// ---- elements: h('p.note.wide', { id: 'x' }, 'text', child). Text never becomes markup.
function build(node, classes, parts) {
  if (classes.length) node.setAttribute('class', classes.join(' '));
  for (const part of parts.flat(Infinity)) {
    if (part == null || part === false) continue;
    if (part instanceof Node) node.append(part);
    else if (typeof part !== 'object') node.append(clean(part));
    else for (const [name, value] of Object.entries(part)) if (value != null) node.setAttribute(name, clean(value));
  }
  return node;
}
const parse = name => name.split('.');
const h = (name, ...parts) => build(document.createElement(parse(name)[0]), parse(name).slice(1), parts);
const s = (name, ...parts) => build(document.createElementNS(SVG, parse(name)[0]), parse(name).slice(1), parts);

/** Replaces control characters and those that change the direction of text: names come from users. */
const clean = text => String(text).replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

/** A table that scrolls sideways. Cells are texts, or elements td or th; the first of a row is its heading. */
function table(css, name, headings, rows) {
  const heading = head => head instanceof Node ? head : h('th', { scope: 'col' }, head);
  return h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': name },
      h('table' + css, h('thead', h('tr', headings.map(heading))), h('tbody', rows)));
}
const rowHead = (...parts) => h('th', { scope: 'row' }, ...parts);
const numberHead = title => h('th.number', { scope: 'col' }, title);

// ---- numbers: significant digits only
const whole = v => v.toLocaleString('en-US', { maximumFractionDigits: 0 });
const many = (count, one) => count + ' ' + one + (count === 1 ? '' : 's');
const isKnown = v => typeof v === 'number' && Number.isFinite(v);

function number(v) {
  const size = Math.abs(v);
  if (size === 0) return '0';
  if (size >= 999.5) return whole(v);
  if (size >= 9.995) return v.toFixed(1);
  if (size >= 0.0995) return v.toFixed(size >= 0.9995 ? 2 : 3);
  const decimals = 1 - Math.floor(Math.log10(size));
  return decimals <= 7 ? v.toFixed(decimals) : v.toExponential(1);
}

/** The value of a metric. A median of counts may be a fraction. */
function figure(metric, v) {
  if (!isKnown(v)) return UNKNOWN;
  if (!metric.count && !(metric.better === 'NEITHER' && Number.isInteger(v))) return number(v);
  return Math.abs(v) >= 999.5 || Math.abs(v - Math.round(v)) < 0.05 ? whole(v) : v.toFixed(1);
}

/** From least to most; null when both look the same. */
function range(metric, least, most) {
  const [from, to] = [figure(metric, least), figure(metric, most)];
  return from === to ? null : from + '–' + to;
}

const ratio = verdict => isKnown(verdict.ratio) ? ratioPart(verdict.ratio, verdict) + '×' : UNKNOWN;
const interval = verdict => ratioPart(verdict.low, verdict) + '–' + ratioPart(verdict.high, verdict);

/** Enough digits that the ends of a narrow interval differ. An unbounded end is 0 or the largest number. */
function ratioPart(v, verdict) {
  if (!isKnown(v)) return UNKNOWN;
  if (v <= 0) return '0';
  if (v >= 1e5) return v >= 1e300 ? '∞' : v.toExponential(0);
  if (v < 0.00095) return v.toExponential(0);
  if (v < 0.0995) return v.toFixed(v >= 0.00995 ? 3 : 4);
  if (verdict.high - verdict.low < 0.05 && v < 9.95) return v.toFixed(3);
  return v >= 99.5 ? whole(v) : v.toFixed(v >= 9.95 ? 1 : 2);
}

// ---- styles: a hue, and the dash of the role, so that no two lines differ by hue alone. Hues are from Okabe and Ito's
// palette ("Color Universal Design", 2008); only ours has the accent colour and the widest line.
const HUES = 5;
function styleOf(role, hue, before) {
  const dash = times => ' d-' + role + (times ? ' r' + Math.min(times, 2) : '');
  if (role === 'ours') return 'q0' + dash(before);
  if (role === 'limit') return 'q1' + dash(before);
  return 'q' + (2 + hue % HUES) + dash(Math.floor(before / HUES));
}

/** The style of each contestant: the next hue for each; within a role, another dash when hues repeat. */
function stylesOf(contestants) {
  const seen = {};
  let hue = 0;
  return contestants.map(({ role }) => {
    seen[role] = (seen[role] ?? -1) + 1;
    return styleOf(role, role === 'ours' || role === 'limit' ? 0 : hue++, seen[role]);
  });
}

function swatch(style) {
  return s('svg.swatch', { width: 30, height: 10, 'aria-hidden': true }, s('line', { class: 'line ' + style, x1: 1, x2: 29, y1: 5, y2: 5 }));
}
