/**
 * HTTP client and messages: {@link dev.penstock.http.HttpTarget} sends requests to a target over pooled connections. The module
 * http-source has the server, {@code HttpSource}, which passes requests to flows.
 *
 * <pre>{@code
 *   client --> HttpSource --(HttpCall)--> flow --(HttpCall)--> HttpTarget --> target
 *   client <-- HttpSource <-(HttpAnswer)- flow <-(HttpAnswer)- HttpTarget <-- target
 * }</pre>
 *
 * <p>Use the target alone to embed a flow in a program; use both to run a gateway in front of a dependency. Requests and
 * answers are held in memory, with a size limit; nothing is streamed.
 *
 * <p>Both remove hop-by-hop header fields (RFC 9110 section 7.6.1), so a flow sees exactly the fields that are forwarded. Errors
 * are logged through SLF4J; logging is not configured.
 */
@NullMarked
package dev.penstock.http;

import org.jspecify.annotations.NullMarked;
