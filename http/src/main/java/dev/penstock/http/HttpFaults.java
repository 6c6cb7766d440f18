package dev.penstock.http;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.http.http1.AnswerTooLarge;
import dev.penstock.http.http1.MalformedAnswer;
import dev.penstock.http.pool.Connection;
import dev.penstock.http.pool.HostLookup;
import dev.penstock.http.pool.Proxy;
import dev.penstock.text.Durations;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.CharacterCodingException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import javax.net.ssl.SSLException;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.TruncatedChunkException;
import org.jspecify.annotations.Nullable;

/**
 * Maps the errors of an exchange with one target to endings. Each message says what happened, where, and what to check.
 */
sealed class HttpFaults permits Http2Faults {
    private static final String MORE_TIME =
            "allow more time: the deadline of the flow, or the Penstock-Deadline-Ms of the caller";

    final String target;
    final TargetLimits limits;
    private final @Nullable Proxy proxy;

    /**
     * Creates the mapping for one target.
     *
     * @param target host and port
     * @param proxy the proxy in front of the target, or null; lookup and connect errors then concern the proxy
     */
    HttpFaults(String target, @Nullable Proxy proxy, TargetLimits limits) {
        this.target = target;
        this.proxy = proxy;
        this.limits = limits;
    }

    public Rejected interruptedBefore() {
        return new Rejected(
                Rejected.Cause.POOL, "interrupted while waiting for a connection to " + target + "; nothing was sent");
    }

    /** The target was closed before anything was sent. */
    public Rejected poolClosed() {
        return new Rejected(
                Rejected.Cause.DRAINING, "the connection pool of " + target + " is closed; nothing was sent");
    }

    public Rejected deadlineExpired() {
        return new Rejected(
                Rejected.Cause.DEADLINE,
                "the deadline expired before anything was sent to " + target + "; " + MORE_TIME);
    }

    /** The caller could not wait until a connection was open. */
    public Rejected deadlineWhileOpening(long left) {
        return new Rejected(
                Rejected.Cause.DEADLINE,
                "the caller's deadline, " + Durations.format(left) + " away, passed while a connection to " + target
                        + throughProxy()
                        + " was being opened; nothing was sent, and the next caller gets the connection");
    }

    /** The wait for a connection left too little time for an answer. */
    Rejected tooLate(long waited, long left, long usual) {
        return new Rejected(
                Rejected.Cause.DEADLINE,
                "the wait for a connection to " + target + " took " + Durations.format(waited) + " and left "
                        + Durations.format(left) + ", but an answer takes about " + Durations.format(usual)
                        + "; nothing was sent");
    }

    /** This process has no thread, or no memory, to open a connection with. */
    Rejected exhausted(OutOfMemoryError e) {
        return new Rejected(
                Rejected.Cause.POOL,
                "no connection to " + target + " could be opened, because this process ran out of threads or memory ("
                        + e + "); nothing was sent",
                Duration.ofSeconds(1),
                e);
    }

    /** @param late whether the caller's deadline ended the wait, and not pool.wait */
    Rejected exhausted(long waited, int max, int waiting, boolean late) {
        return new Rejected(
                late ? Rejected.Cause.DEADLINE : Rejected.Cause.POOL,
                (late ? "the caller's deadline passed: " : "") + "connection pool exhausted: no connection to " + target
                        + " became free within "
                        + Durations.format(waited) + "; all " + max + " are in use and " + waiting
                        + " more calls are waiting; raise pool.max or lower the limit of the flow");
    }

    Rejected totalExhausted(long waited) {
        return new Rejected(
                Rejected.Cause.POOL,
                "connection pool exhausted: no connection to " + target + " could be opened within "
                        + Durations.format(waited)
                        + "; all targets together already use the maximum number of connections; raise their total");
    }

    Failed connectTimeout(long nanos, @Nullable Exception e) {
        return failed(
                "connect timed out: no connection to " + target + throughProxy() + " within "
                        + Durations.format(nanos) + "; check that " + (proxy == null ? "it is" : "both are")
                        + " running and that no firewall drops packets on the path",
                e);
    }

    private Failed lookupTimeout(long nanos, Exception e) {
        return failed(
                "DNS lookup timed out: no address for " + firstHop() + " within " + Durations.format(nanos)
                        + "; check the DNS servers of this machine",
                e);
    }

    /** The proxy did not forward the request. */
    Failed refusedByProxy(int status) {
        return failed(
                "proxy authentication failed for " + target + ": " + firstHop() + " answered " + status
                        + "; check the proxy's user and password",
                null);
    }

    private String firstHop() {
        return proxy == null ? target : "proxy " + proxy;
    }

    private String throughProxy() {
        return proxy == null ? "" : " through " + firstHop();
    }

    /** Maps an error before anything was sent. */
    Failed noConnection(Exception e, long nanos) throws Rejected {
        if (String.valueOf(e.getMessage()).contains("Too many open files")) {
            throw new Rejected(
                    Rejected.Cause.POOL,
                    "too many open files: this process cannot open a connection to " + target
                            + "; nothing was sent; raise its limit of open files (ulimit -n, LimitNOFILE), or lower pool.max",
                    Duration.ofSeconds(1),
                    e);
        }
        if (e.getCause() instanceof OutOfMemoryError none) {
            throw exhausted(none);
        }
        if (e instanceof HostLookup.TimedOut) {
            return lookupTimeout(nanos, e);
        }
        if (e instanceof SocketTimeoutException) {
            return connectTimeout(nanos, e);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw interruptedBefore();
        }
        return switch (e) {
            case UnknownHostException _ ->
                failed(
                        "unknown host " + firstHop() + ": check "
                                + (proxy == null ? "the host in the url" : "the name of the proxy")
                                + " or the DNS servers of this machine",
                        e);
            case ConnectException _ ->
                failed(
                        "connection refused by " + firstHop() + ": check that the "
                                + (proxy == null
                                        ? "target is running there, and the port in the url"
                                        : "proxy is running there, and its port"),
                        e);
            case Proxy.Refused _ ->
                failed(
                        "proxy refused the tunnel to " + target + ": " + line(e)
                                + "; check the proxy's user and password, and that it allows this target",
                        e);
            case SSLException _ ->
                failed(
                        "TLS handshake with " + target + " failed" + certificateProblem(e) + " (" + line(e)
                                + "): check its certificate, and that this port speaks TLS",
                        e);
            default ->
                failed(
                        "cannot connect to " + target + " (" + line(e)
                                + "): check the network between this machine and the target",
                        e);
        };
    }

    /** Names common certificate problems by the words that operators search for; empty for other errors. */
    private static String certificateProblem(Throwable e) {
        Throwable cause = e;
        for (int depth = 0; cause != null && depth < 10; depth++) {
            if (cause instanceof CertificateExpiredException) {
                return ", certificate expired";
            }
            if (cause instanceof CertificateNotYetValidException) {
                return ", certificate not yet valid";
            }
            if (cause instanceof CertPathBuilderException) {
                return ", certificate not trusted";
            }
            cause = cause.getCause();
        }
        return "";
    }

    /**
     * Maps an error after at least a part of the request may have been sent.
     *
     * @param byDeadline whether the time for it was bounded by the deadline, and not by pool.response_timeout
     */
    Unknown noAnswer(Exception e, boolean timedOut, long nanos, boolean byDeadline) {
        if (timedOut || e instanceof SocketTimeoutException) {
            return new Unknown(
                    Unknown.Cause.TIMEOUT,
                    "read timed out: no complete answer from " + target + " within " + Durations.format(nanos)
                            + (byDeadline
                                    ? ", when the deadline passed; check why the target is slow, or " + MORE_TIME
                                    : "; check why the target is slow, or raise pool.response_timeout"),
                    e);
        }
        if (Thread.currentThread().isInterrupted()) {
            return new Unknown(Unknown.Cause.INTERRUPTED, "interrupted while waiting for the answer from " + target, e);
        }
        return switch (e) {
            case AnswerTooLarge _ ->
                unread(
                        "answer too large: the answer from " + target + " has more than " + limits.maxAnswer()
                                + " bytes; raise pool.max_answer if answers of this size are expected",
                        e);
            case MemoryExhausted _ ->
                unread(
                        "out of memory: the memory budget has no room for the answer from " + target
                                + "; raise memory or -Xmx, or reduce the number of concurrent large answers",
                        e);
            case Connection.HandlerFailed _ ->
                Unknown.ofThisProcess(
                        Unknown.Cause.CLOSED,
                        "this process closed the connection to " + target + " before the answer: " + line(e)
                                + "; this is a bug in Penstock, please report it with the log",
                        e);
            case TruncatedChunkException _ -> connectionReset(e);
            // A server may process the request before it sends a handshake alert, so the alert proves nothing.
            case SSLException _ ->
                new Unknown(
                        Unknown.Cause.CLOSED,
                        "TLS error from " + target + " after the request was sent, so it may have been processed ("
                                + line(e) + "): if the target requires a client certificate, check the one in tls",
                        e);
            case MalformedChunkCodingException _,
                    CharacterCodingException _,
                    MessageConstraintException _,
                    MalformedAnswer _,
                    RuntimeException _ ->
                garbled(
                        "malformed answer from " + target + " (" + line(e)
                                + "): check what listens there and what changes answers on the path",
                        e);
            default -> connectionReset(e);
        };
    }

    /** There is no answer because the target was closed, and with it all connections. */
    Unknown targetClosed(Exception e) {
        return Unknown.ofThisProcess(
                Unknown.Cause.CLOSED,
                "this process closed the connection to " + target + " before the answer, because the target was closed",
                e);
    }

    /** The peer, or the path to it, closed or reset the connection. */
    private Unknown connectionReset(Exception e) {
        return new Unknown(
                Unknown.Cause.CLOSED,
                target + " closed the connection before the answer was complete (" + line(e)
                        + "): check its log for a restart, a crash or its own timeout",
                e);
    }

    /** The target answered, and this process could not take the answer. */
    private static Unknown unread(String message, Exception e) {
        return Unknown.ofThisProcess(Unknown.Cause.GARBLED, message, e);
    }

    private static Unknown garbled(String message, Exception e) {
        return new Unknown(Unknown.Cause.GARBLED, message, e);
    }

    private static Failed failed(String message, @Nullable Exception e) {
        return new Failed(Failed.Cause.CONNECT, message, e);
    }

    /** The message of an exception in printable ASCII, one line of at most 160 characters. */
    private static String line(Exception e) {
        String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        String line = text.replaceAll("[^\\x20-\\x7e]+", " ").strip();
        return line.length() <= 160 ? line : line.substring(0, 160) + "...";
    }
}
