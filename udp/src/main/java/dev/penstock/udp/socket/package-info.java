/**
 * UDP sockets that send and receive many datagrams per system call, and count the datagrams that the kernel dropped.
 *
 * <pre>
 *   UdpSocket --- NativeSocket   Linux: recvmmsg, sendmmsg, SO_MEMINFO, SO_RCVBUFFORCE, through Libc
 *        |    \-- ChannelSocket  other systems: DatagramChannel, one datagram per call
 *        |
 *   DatagramBatch   slots for datagrams: bytes, length, peer
 *
 *   DatagramSender  sends numbered datagrams to one peer and receives their answers, over one socket
 * </pre>
 *
 * <p>Sources: recvmmsg(2), sendmmsg(2), socket(7), udp(7), ip(7), ipv6(7), sock_diag(7) for SO_MEMINFO.
 */
@NullMarked
package dev.penstock.udp.socket;

import org.jspecify.annotations.NullMarked;
