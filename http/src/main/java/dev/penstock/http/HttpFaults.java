package dev.penstock.http;

import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.http.pool.HandlerFailed;
import dev.penstock.http.pool.Proxy;
import dev.penstock.http.pool.ProxyRefused;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.CharacterCodingException;
import javax.net.ssl.SSLException;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.TruncatedChunkException;
import org.jspecify.annotations.Nullable;

/** Says what went wrong on the way to one target: the ending, and one sentence with what to check. */
final class HttpFaults {
    private final String target;
    private final @Nullable Proxy proxy;
    private final TargetLimits limits;

    /**
     * Faults of one target.
     *
     * @param target its host and port
     * @param proxy on the way there: who cannot be found, or refuses a connection, is the proxy then
     */
    HttpFaults(String target, @Nullable Proxy proxy, TargetLimits limits) {
        this.target = target;
        this.proxy = proxy;
        this.limits = limits;
    }

    Rejected interruptedBefore() {
        return new Rejected(
                Rejected.Cause.POOL, "interrupted while waiting for a connection to " + target + "; nothing was sent");
    }

    Rejected closed() {
        return new Rejected(Rejected.Cause.DRAINING, "the connections to " + target + " are closed");
    }

    Rejected timeWasUp() {
        return new Rejected(Rejected.Cause.DEADLINE, "the time was up before anything was sent to " + target);
    }

    Rejected exhausted(long waited, int max, int waiting) {
        return new Rejected(
                Rejected.Cause.POOL,
                "no connection to " + target + " came free within " + Durations.words(waited) + ": all " + max
                        + " are in use and " + waiting
                        + " more calls wait; raise pool.max or lower the limit of the flow");
    }

    Rejected totalExhausted(long waited) {
        return new Rejected(
                Rejected.Cause.POOL,
                "no connection to " + target + " could be opened within " + Durations.words(waited)
                        + ": as many are in use as all targets may have together; raise their total");
    }

    Failed connectTimeout(long nanos, @Nullable Exception e) {
        return failed(
                "no connection to " + target + throughProxy() + " within " + Durations.words(nanos) + ": check that "
                        + (proxy == null ? "it is" : "both are") + " up and that no firewall drops packets on the way",
                e);
    }

    Failed lookupTimeout(long nanos, Exception e) {
        return failed(
                "no address for " + firstHop() + " within " + Durations.words(nanos)
                        + ": check the name servers of this machine",
                e);
    }

    /** The proxy that was to pass a request on did not. */
    Failed refusedByProxy(int status) {
        return failed(
                "no way to " + target + ": " + firstHop() + " answered " + status
                        + "; check the proxy's user and password",
                null);
    }

    private String firstHop() {
        return proxy == null ? target : "proxy " + proxy;
    }

    private String throughProxy() {
        return proxy == null ? "" : " through " + firstHop();
    }

    /** Why there is no connection; nothing was sent. */
    Failed noConnection(Exception e, long nanos) throws Rejected {
        if (e instanceof SocketTimeoutException) {
            return connectTimeout(nanos, e);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw interruptedBefore();
        }
        return switch (e) {
            case UnknownHostException _ ->
                failed(
                        "no such host for " + firstHop() + ": check "
                                + (proxy == null ? "the host in the url" : "its name")
                                + ", and the name servers of this machine",
                        e);
            case ConnectException _ ->
                failed(
                        firstHop() + " refused the connection: check that "
                                + (proxy == null
                                        ? "the target runs there, and the port in the url"
                                        : "it runs there, and its port"),
                        e);
            case ProxyRefused _ ->
                failed(
                        "no way to " + target + ": " + line(e)
                                + "; check the proxy's user and password, and that it allows this target",
                        e);
            case SSLException _ ->
                failed(
                        "no TLS with " + target + " (" + line(e)
                                + "): check its certificate, and that this port speaks TLS",
                        e);
            default ->
                failed(
                        "no connection to " + target + " (" + line(e) + "): check the network between here and there",
                        e);
        };
    }

    /** Why there is no answer, when at least a part of the request may have been sent. */
    Unknown noAnswer(Exception e, boolean cut, long nanos) {
        if (cut || e instanceof SocketTimeoutException) {
            return new Unknown(
                    Unknown.Cause.TIMEOUT, "no whole answer from " + target + " within " + Durations.words(nanos), e);
        }
        if (Thread.currentThread().isInterrupted()) {
            return new Unknown(Unknown.Cause.INTERRUPTED, "interrupted while waiting for the answer of " + target, e);
        }
        return switch (e) {
            case AnswerTooLarge _ ->
                garbled(
                        "the answer of " + target + " is larger than " + limits.maxAnswer()
                                + " bytes: raise pool.max_answer if that is right",
                        e);
            case MemoryExhausted _ ->
                garbled(
                        "the answer of " + target
                                + " found no memory: raise memory or -Xmx, or lower the number of large answers at once",
                        e);
            case HandlerFailed _ ->
                new Unknown(
                        Unknown.Cause.CLOSED,
                        "this side closed the connection to " + target + " before the answer, as " + line(e),
                        e);
            case TruncatedChunkException _ -> closed(e);
            // A server may read the request before it sends an alert of the handshake, so the alert proves nothing.
            case SSLException _ ->
                new Unknown(
                        Unknown.Cause.CLOSED,
                        target + " ended TLS after the request was sent, so it may have taken it (" + line(e)
                                + "): if it asks for a client certificate, check the one in tls",
                        e);
            case MalformedChunkCodingException _ ->
                garbled("the answer of " + target + " cannot be read (" + line(e) + ")", e);
            case CharacterCodingException _ ->
                garbled("the answer of " + target + " cannot be read (" + line(e) + ")", e);
            case MalformedAnswer _ -> garbled("the answer of " + target + " cannot be read (" + line(e) + ")", e);
            case RuntimeException _ -> garbled("the answer of " + target + " cannot be read (" + line(e) + ")", e);
            default -> closed(e);
        };
    }

    /** There is no answer because this side has closed all connections. */
    Unknown brokenOff(Exception e) {
        return new Unknown(
                Unknown.Cause.CLOSED,
                "this side closed the connection to " + target + " before the answer, as it was told to close",
                e);
    }

    private Unknown closed(Exception e) {
        return new Unknown(
                Unknown.Cause.CLOSED,
                target + " closed the connection before its answer was whole (" + line(e) + ")",
                e);
    }

    private static Unknown garbled(String message, Exception e) {
        return new Unknown(Unknown.Cause.GARBLED, message, e);
    }

    private static Failed failed(String message, @Nullable Exception e) {
        return new Failed(Failed.Cause.CONNECT, message, e);
    }

    /** What an exception says, as one short line. */
    private static String line(Exception e) {
        String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        String line = text.replaceAll("[^\\x20-\\x7e]+", " ").strip();
        return line.length() <= 160 ? line : line.substring(0, 160) + "...";
    }
}
