/**
 * A simulated dependency that answers datagrams, with delays, drops, duplicates and reordering.
 *
 * <pre>
 *   datagram --- dropped? --- find and replace --- delay, held back?, twice? --- answer
 * </pre>
 *
 * <p>{@link dev.penstock.lab.simulate.udp.UdpSimulator} is one platform thread over a {@code DatagramChannel};
 * {@code UdpFaults} draws the faults of a datagram, and {@code UdpTally} counts.
 */
@NullMarked
package dev.penstock.lab.simulate.udp;

import org.jspecify.annotations.NullMarked;
