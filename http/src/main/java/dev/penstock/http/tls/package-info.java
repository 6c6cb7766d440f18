/**
 * TLS for connections to a target and for a server: trusted certificates, the client certificate, and their replacement at runtime.
 *
 * <pre>
 *   Tls --open()--> TlsMaterial --context()--> SSLContext --> each new connection
 *                       |  at most every 10 s, by the thread that opens a connection:
 *                       +-- files unchanged:  the same context, so that session tickets stay valid
 *                       +-- files changed:    a new context, in which no older session can be resumed
 *                       +-- files unreadable: the same context, and one line in the log
 * </pre>
 *
 * <p>{@link dev.penstock.http.tls.Tls} and {@link dev.penstock.http.tls.ServerTls} are the configurations, {@link dev.penstock.http.tls.TlsMaterial} the loaded keys and
 * certificates. Use {@link dev.penstock.http.tls.HostParameters} on each connection; without them the host name is not
 * verified. Verification cannot be disabled.
 *
 * <p>This package depends on the JDK only, not on HTTP. It logs through SLF4J under the name of {@link
 * dev.penstock.http.tls.TlsMaterial}.
 */
@NullMarked
package dev.penstock.http.tls;

import org.jspecify.annotations.NullMarked;
