/**
 * HTTP in and out: {@link dev.penstock.http.HttpSource} brings requests into flows, {@link
 * dev.penstock.http.HttpTarget} carries them to a target over pooled connections.
 *
 * <pre>
 *   client --> HttpSource --(HttpCall)--> flow --(HttpCall)--> HttpTarget --> target
 *   client <-- HttpSource <-(HttpAnswer)- flow <-(HttpAnswer)- HttpTarget <-- target
 * </pre>
 *
 * <p>Use the target alone to embed a flow in a program; use both to put a flow in front of a dependency. Requests and
 * answers are held in memory, each within a bound; nothing is streamed.
 *
 * <p>The server underneath writes a few lines through {@code System.Logger} when it starts and stops, under names that
 * begin with {@code io.helidon}. This package writes through SLF4J only what is wrong with what it was given, and configures
 * no logging.
 *
 * <p>Both ends remove what concerns one connection only (RFC 9110 section 7.6.1), so a flow sees exactly the header
 * fields that travel on.
 */
@NullMarked
package dev.penstock.http;

import org.jspecify.annotations.NullMarked;
