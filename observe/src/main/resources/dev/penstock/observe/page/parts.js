"use strict";
// Helpers for building the page. Text is always set as text: values of a flow are never markup.

const element = (name, className, ...inner) => {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...inner);
  return made;
};
/** Changes text only if it differs, so that nothing is announced again and selections are kept. */
const setText = (node, text) => { if (node.textContent !== text) node.textContent = text; };
const mark = (node, name, wanted) => { if (node.classList.contains(name) !== wanted) node.classList.toggle(name, wanted); };

const number = value => value === undefined || value === null || Number.isNaN(value) ? "–"
  : value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 10 ? 1 : 0 });
const rate = value => `${number(value)}/s`;
const time = ms => {
  if (ms === undefined || ms === null) return "–";
  if (ms < 1) return `${number(ms * 1000)} us`;
  return ms < 1000 ? `${number(ms)} ms` : `${(ms / 1000).toLocaleString("en", { maximumFractionDigits: 2 })} s`;
};
const clock = iso => new Date(iso).toLocaleTimeString("en-GB");
/** A short date: the time for today, otherwise with the day. */
const since = iso => {
  const at = new Date(iso);
  return at.toDateString() === new Date().toDateString() ? at.toLocaleTimeString("en-GB") : at.toISOString().slice(0, 16).replace("T", " ");
};
const timeOf = iso => Object.assign(element("time", "", since(iso)), { dateTime: iso });
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const words = name => name.replaceAll("_", " ");

/** A table of text rows; the first cell of a row is its header. */
const tableOf = (caption, heads, rows) => {
  const table = element("table");
  table.append(element("caption", "visually-hidden", caption));
  const head = table.createTHead().insertRow();
  heads.forEach((text, column) => {
    const cell = element("th", column ? "number" : "", text);
    cell.scope = "col";
    head.append(cell);
  });
  const body = table.createTBody();
  for (const row of rows) {
    const line = body.insertRow();
    row.forEach((text, column) => {
      const cell = element(column ? "td" : "th", column ? "number" : "", text);
      if (!column) cell.scope = "row";
      line.append(cell);
    });
  }
  return table;
};
