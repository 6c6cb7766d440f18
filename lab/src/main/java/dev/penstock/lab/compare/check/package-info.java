/**
 * Checks whether a table of results can be true at all, by laws that every measurement obeys, whoever made it.
 *
 * <pre>
 *   TableFile --> Row, Row, Row --> laws --> Finding, Finding
 *   (our files, JTL, k6,            (order of times, means,
 *    CSV and Markdown tables)        counts, rates and users)
 * </pre>
 *
 * <p>Each figure is an interval: what is printed as 6.7 was between 6.65 and 6.75. IMPOSSIBLE is said only when no numbers
 * within those intervals obey the law.
 */
@NullMarked
package dev.penstock.lab.compare.check;

import org.jspecify.annotations.NullMarked;
