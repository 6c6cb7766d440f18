/**
 * A dependency that answers datagrams, and is slow, forgetful and untidy on purpose.
 *
 * <pre>
 *   datagram --- dropped? --- find and replace --- delay, held back?, twice? --- answer
 * </pre>
 *
 * <p>{@link dev.penstock.lab.simulate.udp.UdpSimulator} is one platform thread over a {@code DatagramChannel}; {@code UdpFaults}
 * draws what becomes of a datagram, and {@code UdpTally} counts it.
 */
@NullMarked
package dev.penstock.lab.simulate.udp;

import org.jspecify.annotations.NullMarked;
