/**
 * A result file as one HTML page that needs nothing but itself: no network, no fonts, no other file.
 *
 * <pre>
 *   ResultFile --> CourseView --> sections: verdicts, figures, time plots, percentiles, calls
 *                                    |
 *                        static SVG for each plot   --> seen without scripts, and in print
 *                        Island: the same as data   --> page.js draws uPlot over it, one cursor a course
 * </pre>
 *
 * <p>Every plot is drawn here first, as SVG, so the page reads where scripts do not run and prints sharp. A figure that is not
 * known is n/a, never 0. No colour stands alone: verdicts carry their word, lines their dashes and names.
 *
 * <p>What users need is {@link dev.penstock.lab.page.HtmlReport}; all else is package-private.
 */
@NullMarked
package dev.penstock.lab.page;

import org.jspecify.annotations.NullMarked;
