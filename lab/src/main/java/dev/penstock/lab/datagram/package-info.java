/**
 * Load of datagrams: numbered ones in paced bursts or at a constant rate, and what became of each.
 *
 * <pre>
 *   Cadence --- when each is due       DatagramPace --- how many now ---+
 *                                                                       v
 *   DatagramLoad.run --- one platform thread, DatagramRun ---- DatagramPort ----> the other side
 *                                                                       |
 *   DatagramResult &lt;--- LoadResult, losses by number &lt;--- DatagramTally &lt;+---- answers
 * </pre>
 *
 * <p>What is sent goes through a {@link dev.penstock.lab.datagram.DatagramPort}, so that the lab knows no transport; over a
 * {@code Volley} of module udp it is five methods that pass on. How to use it, at one rate, in bursts, and in search of a rate:
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
 * <p>Whether the sender kept its rate is told by {@link dev.penstock.lab.datagram.DatagramResult#notKept}: only then does loss
 * say something of the other side. {@code result.load().validity()} also wants the lag to be small beside the times, as for any
 * load; where only loss is looked at it need not be. What was lost, less
 * {@link dev.penstock.lab.datagram.DatagramResult#droppedHere}, was lost on the way there or at the other side.
 */
@NullMarked
package dev.penstock.lab.datagram;

import org.jspecify.annotations.NullMarked;
