/**
 * TLS towards a target: what is trusted, which certificate is presented, and how both are exchanged while connections are
 * in use.
 *
 * <pre>
 *   Tls --open()--> TlsMaterial --context()--> SSLContext --> each new connection
 *                       |  at most every 10 s, by the thread that opens a connection:
 *                       +-- files as before: the same context, so that session tickets stay good
 *                       +-- files changed:   a new context, in which no older session can be resumed
 *                       +-- not readable:    the same context, and one line in the log
 * </pre>
 *
 * <p>Use {@link dev.penstock.http.tls.Tls} to say what is wanted, {@link dev.penstock.http.tls.TlsMaterial} to hold it, and
 * {@link dev.penstock.http.tls.HostParameters} on each connection, for without them nobody compares the certificate's name
 * with the host's. There is no way to trust everything.
 *
 * <p>This package knows sockets, files and the JDK, and nothing of HTTP. It logs through SLF4J under the name of {@link
 * dev.penstock.http.tls.TlsMaterial}.
 */
@NullMarked
package dev.penstock.http.tls;

import org.jspecify.annotations.NullMarked;
