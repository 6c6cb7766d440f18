/**
 * A middlebox that misbehaves on purpose: it stands between any TCP client and any TCP server, and is slow, narrow and
 * forgetful as told. It reads no protocol: bytes are bytes.
 *
 * <pre>
 *   client --> Lane --> DelayLine --> ByteRate --> server
 *   client <-- ByteRate <-- DelayLine <-- Lane <-- server
 *                 |
 *                 +--> TcpTally: what came, passed, was thrown away
 *   IdleQueue, FaultSchedule --> one watching thread --> kills and closes connections
 * </pre>
 *
 * <p>Use {@link dev.penstock.lab.simulate.tcp.TcpSimulator} to see what a pool does when firewalls, balancers and NATs forget
 * its connections. By RFC 5382, REQ-5, a NAT keeps an idle one for 2 h 4 min at least; many forget it far sooner.
 */
@NullMarked
package dev.penstock.lab.simulate.tcp;

import org.jspecify.annotations.NullMarked;
