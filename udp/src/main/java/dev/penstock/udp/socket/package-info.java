/**
 * Sockets for datagrams that carry many of them by one call, and tell what the kernel dropped.
 *
 * <pre>
 *   UdpSocket --- NativeSocket   Linux: recvmmsg, sendmmsg, SO_MEMINFO, SO_RCVBUFFORCE, by way of Libc
 *        |    \-- ChannelSocket  elsewhere: a DatagramChannel, one datagram a call
 *        |
 *      Batch      slots for datagrams: bytes, length, peer
 *
 *   Volley  numbered datagrams to one peer and their answers, over one of them
 * </pre>
 *
 * <p>Sources: recvmmsg(2), sendmmsg(2), socket(7), udp(7), ip(7), ipv6(7), sock_diag(7) for SO_MEMINFO.
 */
@NullMarked
package dev.penstock.udp.socket;

import org.jspecify.annotations.NullMarked;
