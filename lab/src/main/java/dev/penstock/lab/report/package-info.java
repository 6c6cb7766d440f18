/**
 * Results for people and for tools: tables, result files, and a live line while something runs. It only formats; what the
 * numbers mean is told in {@link dev.penstock.lab.measure}.
 *
 * <p>{@link dev.penstock.lab.report.ResultTable} prints text and Markdown, {@link dev.penstock.lab.report.ResultFile} is the
 * JSON that later runs are compared with, {@link dev.penstock.lab.report.LiveLine} shows that something goes on.
 */
@NullMarked
package dev.penstock.lab.report;

import org.jspecify.annotations.NullMarked;
