/**
 * HTTP server and client: {@link dev.penstock.http.HttpSource} passes requests to flows, {@link dev.penstock.http.HttpTarget}
 * sends them to a target over pooled connections.
 *
 * <pre>
 *   client --> HttpSource --(HttpCall)--> flow --(HttpCall)--> HttpTarget --> target
 *   client <-- HttpSource <-(HttpAnswer)- flow <-(HttpAnswer)- HttpTarget <-- target
 * </pre>
 *
 * <p>Use the target alone to embed a flow in a program; use both to run a gateway in front of a dependency. Requests and
 * answers are held in memory, with a size limit; nothing is streamed.
 *
 * <p>Helidon logs a few lines through {@code System.Logger} when it starts and stops, under names that begin with {@code
 * io.helidon}. This package logs errors through SLF4J, and does not configure logging.
 *
 * <p>Both remove hop-by-hop header fields (RFC 9110 section 7.6.1), so a flow sees exactly the fields that are forwarded.
 */
@NullMarked
package dev.penstock.http;

import org.jspecify.annotations.NullMarked;
