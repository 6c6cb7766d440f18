/**
 * A result file as one self-contained HTML page: no network, no fonts, no other file.
 *
 * <pre>
 *   ResultFile --> CourseView --> sections: verdicts, metrics, time plots, percentiles, calls
 *                                    |
 *                        static SVG for each plot    --> shown without scripts, and in print
 *                        PlotData: the same as JSON  --> page.js draws uPlot over it, one cursor per course
 * </pre>
 *
 * <p>Every plot is first drawn here as SVG, so the page works without scripts and prints sharp. Unknown values are n/a,
 * never 0. Colour is never the only distinction: verdicts have words, lines have dashes and names.
 *
 * <p>The API is {@link dev.penstock.lab.page.HtmlReport}; everything else is package-private.
 */
@NullMarked
package dev.penstock.lab.page;

import org.jspecify.annotations.NullMarked;
