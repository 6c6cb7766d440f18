/**
 * The connections to one server over HTTP/2 (RFC 9113), many calls per connection. Frames are Apache HttpCore's; this package
 * decides which connection a call gets, when connections are opened and closed, and what the end of a stream proves.
 *
 * <pre>
 *   Http2Connections.lease --> a stream slot on the first open connection that has one, or on a new one
 *   Http2Connector: DNS lookup, TCP connect, TLS handshake with ALPN, the peer's SETTINGS
 *   Http2Stream: one call, which waits on its own thread
 *   Http2Reactor: the I/O threads of all connections; a connection that fails is closed alone
 * </pre>
 *
 * <p>Public only for the package above it. Programs use {@link dev.penstock.http.HttpTarget}.
 */
@NullMarked
package dev.penstock.http.http2;

import org.jspecify.annotations.NullMarked;
