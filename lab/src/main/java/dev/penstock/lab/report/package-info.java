/**
 * Results for people and tools: tables, result files, and a progress line. Formatting only; the meaning of the numbers
 * is documented in {@link dev.penstock.lab.measure}.
 *
 * <p>{@link dev.penstock.lab.report.ResultTable} makes text and Markdown, {@link dev.penstock.lab.report.ResultFile} is
 * the JSON for later comparisons, {@link dev.penstock.lab.report.LiveLine} shows progress.
 */
@NullMarked
package dev.penstock.lab.report;

import org.jspecify.annotations.NullMarked;
