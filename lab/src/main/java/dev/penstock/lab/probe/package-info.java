/**
 * Measures a dependency within a budget and recommends settings:
 *
 * <pre>
 *   ProbePeer (one per transport) --> round trip --> concurrency knee --> idle kill --> batching --> ProbeFindings
 * </pre>
 *
 * <p>The searches (what to try next, what to conclude) are pure; the classes around them make the calls and wait.
 */
@NullMarked
package dev.penstock.lab.probe;

import org.jspecify.annotations.NullMarked;
