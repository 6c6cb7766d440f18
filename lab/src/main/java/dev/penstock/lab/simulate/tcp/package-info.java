/**
 * A simulated middlebox between any TCP client and server, with configurable delay, bandwidth, idle timeout and faults.
 * Independent of the protocol.
 *
 * <pre>{@code
 *   client --> StreamPump --> DelayLine --> ByteRate --> server
 *   client <-- ByteRate <-- DelayLine <-- StreamPump <-- server
 *                 |
 *                 +--> TcpTally: received, passed, dropped
 *   IdleQueue, FaultSchedule --> one watching thread --> kills and closes connections
 * }</pre>
 *
 * <p>Use {@link dev.penstock.lab.simulate.tcp.TcpSimulator} to test how a connection pool reacts when firewalls, load
 * balancers and NATs drop its connections. RFC 5382, REQ-5, requires a NAT to keep an idle connection for at least 2 h
 * 4 min; many drop it far sooner.
 */
@NullMarked
package dev.penstock.lab.simulate.tcp;

import org.jspecify.annotations.NullMarked;
