/**
 * The race {@code hop}: the cost of one hop between a client and a server that answers immediately.
 * <pre>
 *   one core                          the other core                one core
 *   wrk (full), HopCallers (half) ---> contestant, its own process -----> nginx: 1 KB
 *       ^---- the body that nginx sent ----------'
 *   ChildProbe (/proc/PID) ---------------'
 * </pre>
 */
@NullMarked
package dev.penstock.races.hop;

import org.jspecify.annotations.NullMarked;
