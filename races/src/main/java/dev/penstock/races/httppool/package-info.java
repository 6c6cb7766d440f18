/**
 * The race {@code http-pool}: pooled payment clients with a gateway that answers after a second and closes connections.
 *
 * <pre>
 *   runner's JVM                          contestant's JVM
 *   SimulatorScene (HttpSimulator) &lt;----- Client (one file each) &lt;------------------ OpenLoad, ClosedLoad
 *     duplicates, cut, connections          pool, validation               |
 *                                                                   Segments: errors by way of closing
 * </pre>
 *
 * <p>Each contestant is one {@link dev.penstock.races.httppool.Client} and one line in
 * {@link dev.penstock.races.httppool.HttpPoolContestants}. Retries are each library's defaults; silent retries show as
 * duplicates at the simulator.
 *
 * <p>Over TLS the simulator has its own certificate, which each contestant's JVM trusts through system properties, so
 * no client needs configuration: protocol versions, name checks and session tickets are each library's defaults.
 */
@NullMarked
package dev.penstock.races.httppool;

import org.jspecify.annotations.NullMarked;
