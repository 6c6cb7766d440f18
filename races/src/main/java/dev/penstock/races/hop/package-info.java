/**
 * The race {@code hop}: what one hop costs between a client and a server that answer at once.
 *
 * <pre>
 *   one core                          the other core                one core
 *   wrk (full), Callers (half) -----> contestant, its own process -----> nginx: 1 KB
 *       ^---- the body that nginx sent ----------'
 *   ChildProbe (/proc/PID) ---------------'
 * </pre>
 */
@NullMarked
package dev.penstock.races.hop;

import org.jspecify.annotations.NullMarked;
