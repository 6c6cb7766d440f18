/**
 * Measures a dependency within a budget, and says what to set:
 *
 * <pre>
 *   ProbePeer (a transport's) --> round trip --> concurrency knee --> idle kill --> batching --> ProbeFindings
 * </pre>
 *
 * <p>What a search tries next and what it concludes is pure; the shells around it wait and call.
 */
@NullMarked
package dev.penstock.lab.probe;

import org.jspecify.annotations.NullMarked;
