/**
 * The race {@code udp-burst}: a server that finds and replaces text in datagrams of 1,024 bytes and answers, and a
 * sender that is faster than most servers.
 * <pre>
 *   runner's JVM, one core                      its own process, the other core
 *   Sender --- datagrams, numbered ---------->  EchoServer (a JVM: ServerMain) or echo.c
 *     ^------- answers -----------------------   |
 *   KernelSockets (/proc/net/udp)                |
 *   Server ---- begin, counts ---- pipe -------->+   counters: received, answered, resource use
 * </pre>
 */
@NullMarked
package dev.penstock.races.udpburst;

import org.jspecify.annotations.NullMarked;
