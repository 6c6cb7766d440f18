/**
 * The race {@code http-pool}: a pooled payment client against a gateway that answers in a second and closes connections.
 *
 * <pre>
 *   runner's JVM                          contestant's JVM
 *   SimulatorScene (HttpSimulator) &lt;----- Client (one file each) &lt;-- Watched &lt;-- OpenLoad, ClosedLoad
 *     duplicates, cut, connections          pool, look before use       |
 *                                                                   Segments: errors by way of closing
 * </pre>
 *
 * <p>Each contestant is one {@link dev.penstock.races.httppool.Client} and one line in {@link
 * dev.penstock.races.httppool.HttpPoolContestants}. Retries are those that each library does by default; a client that repeats in
 * secret shows at the simulator, as duplicates.
 *
 * <p>Over TLS the simulator has a certificate of its own, and each contestant's JVM trusts it by its system properties, so no
 * client is set up for it: versions, checks of names and session tickets are each library's defaults.
 */
@NullMarked
package dev.penstock.races.httppool;

import org.jspecify.annotations.NullMarked;
