/**
 * Load of numbered datagrams in paced bursts or at a constant rate, with the outcome of each.
 *
 * <pre>
 *   Cadence --- when each is due
 *       DatagramPace --- how many now ---+
 *                                        v
 *   DatagramLoad.run --- one platform thread, DatagramRun ---- DatagramPort ----> the peer
 *                                                                       |
 *   DatagramResult &lt;--- LoadResult, losses by number &lt;--- DatagramTally &lt;+---- answers
 * </pre>
 *
 * <p>Datagrams go through a {@link dev.penstock.lab.datagram.DatagramPort}, so that the lab depends on no transport;
 * over the {@code DatagramSender} of module udp it is five delegating methods. Examples at one rate, in bursts, and
 * with a search for the highest rate:
 *
 * <pre>{@code
 * DatagramResult at = DatagramLoad.of(Cadence.steady(100_000)).lasting(Duration.ofSeconds(10)).run(port);
 * DatagramResult in = DatagramLoad.of(Cadence.bursts(10_000, Duration.ofSeconds(1))).lasting(Duration.ofSeconds(10)).run(port);
 * double noLoss = LossSearch.from(50_000).most(500_000).run(rate -> {
 *     try (DatagramPort fresh = ...) {
 *         return DatagramLoad.of(Cadence.steady(rate)).run(fresh);
 *     }
 * }).highest();
 * }</pre>
 *
 * <p>{@link dev.penstock.lab.datagram.DatagramResult#senderProblem} reports whether the sender kept its rate: only then does
 * loss measure the peer. {@code result.load().validity()} also requires a lag that is small compared with the response
 * times, as for any load; this does not matter when only loss is measured. Lost datagrams that are not counted in
 * {@link dev.penstock.lab.datagram.DatagramResult#droppedHere} were lost in the network or at the peer.
 */
@NullMarked
package dev.penstock.lab.datagram;

import org.jspecify.annotations.NullMarked;
