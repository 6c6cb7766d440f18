/**
 * A result file as one self-contained HTML page: no network, no fonts, no other file.
 *
 * <pre>
 *   ResultFile --> HtmlReport: the file as JSON, the scripts and styles, and the text for readers without scripts
 *                     |
 *                  page.js: sections, tables, and what each chart shows
 *                  charts.js: draws a chart with uPlot, one cursor per course
 *                  elements.js: elements and numbers
 * </pre>
 *
 * <p>Unknown values are n/a, never 0. Colour is never the only distinction: verdicts have words, lines have dashes and
 * names. Each chart has a description for screen readers. Names come from users, so the scripts only make text of them.
 *
 * <p>The API is {@link dev.penstock.lab.page.HtmlReport}; everything else is package-private.
 */
@NullMarked
package dev.penstock.lab.page;

import org.jspecify.annotations.NullMarked;
