/**
 * Load of datagrams: numbered ones in paced bursts or at a constant rate, and what became of each.
 *
 * <p>What is sent goes through a {@link dev.penstock.lab.datagram.DatagramPort}, so that the lab knows no transport.
 */
@NullMarked
package dev.penstock.lab.datagram;

import org.jspecify.annotations.NullMarked;
