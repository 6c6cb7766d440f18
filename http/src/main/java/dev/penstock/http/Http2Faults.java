package dev.penstock.http;

import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import java.util.concurrent.TimeoutException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpStreamResetException;
import org.apache.hc.core5.http2.H2ConnectionException;
import org.apache.hc.core5.http2.H2CorruptFrameException;
import org.apache.hc.core5.http2.H2Error;
import org.apache.hc.core5.http2.H2StreamResetException;
import org.jspecify.annotations.Nullable;

/** Says what went wrong on the way to one target over HTTP/2: what {@link HttpFaults} says, and what only HTTP/2 knows. */
final class Http2Faults {
    private final String target;
    private final TargetLimits limits;
    private final HttpFaults faults;

    Http2Faults(String target, TargetLimits limits) {
        this.target = target;
        this.limits = limits;
        this.faults = new HttpFaults(target, null, limits);
    }

    Rejected interruptedBefore() {
        return faults.interruptedBefore();
    }

    Rejected closed() {
        return faults.closed();
    }

    Rejected timeUp() {
        return faults.timeWasUp();
    }

    /** As many calls are out as there may be. */
    Rejected exhausted(long waited, int out, int most, long waiting) {
        return new Rejected(
                Rejected.Cause.POOL,
                "no stream to " + target + " came free within " + Durations.words(waited) + ": " + out + " of "
                        + most + " are in use and " + waiting
                        + " more calls wait; raise pool.max or lower the limit of the flow");
    }

    /** There are as many connections as there may be, and each has as many streams as the target allows. */
    Rejected allTaken(long waited, long connections, int waiting) {
        return new Rejected(
                Rejected.Cause.POOL,
                "no stream to " + target + " came free within " + Durations.words(waited) + ": " + connections
                        + " connections have as many as the target allows and " + waiting
                        + " more calls wait; raise pool.max or lower the limit of the flow");
    }

    Failed connectTimeout(long nanos) {
        return faults.connectTimeout(nanos, null);
    }

    Failed notOffered(@Nullable Exception e) {
        return new Failed(
                Failed.Cause.CONNECT,
                target + " offers no HTTP/2: leave the version to be found out, or set it to HTTP/1.1",
                e);
    }

    /** Several connections in a row ended before they took the call. */
    Failed neverSent(int connections) {
        return new Failed(
                Failed.Cause.CONNECT,
                target + " closed " + connections
                        + " connections before the request was sent: check whether it is starting or stopping");
    }

    /** The target says that it has done nothing about the request, so that it is safe to send it again. */
    Failed notProcessed(Exception e) {
        return new Failed(
                Failed.Cause.CONNECT,
                target + " did not take the request, and says so: check whether it is stopping or has too much to do",
                e);
    }

    /** Why there is no connection, to each who waited for it. */
    Failed noConnection(Exception why) throws Rejected, Http2Connector.NotOffered {
        long nanos = Durations.nanos(limits.connectTimeout());
        return switch (why) {
            case Http2Connector.NotOffered _ -> throw new Http2Connector.NotOffered();
            case TimeoutException e -> faults.lookupTimeout(nanos, e);
            default -> faults.noConnection(why, nanos);
        };
    }

    Unknown brokenOff(Exception e) {
        return faults.brokenOff(e);
    }

    /** Why there is no answer, when at least a part of the request may have been sent. */
    Unknown noAnswer(Exception e, long nanos) {
        return switch (e) {
            case HttpException _, H2ConnectionException _, H2CorruptFrameException _ -> garbled(e);
            default -> faults.noAnswer(e, false, nanos);
        };
    }

    /** What came is no answer. */
    Unknown garbled(Exception e) {
        String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        MalformedAnswer fault = new MalformedAnswer("a fault: " + text);
        fault.initCause(e);
        return faults.noAnswer(fault, false, 0);
    }

    /** Whether the target said that it wants HTTP/1.1 instead (RFC 9113 section 7). */
    static boolean wantsHttp1(Unknown ending) {
        return ending.getCause() instanceof H2StreamResetException reset
                && reset.getCode() == H2Error.HTTP_1_1_REQUIRED.getCode();
    }

    /** Whether an answer is missing because its connection ended, and not only its stream. */
    boolean isEndOfConnection(Unknown ending) {
        return ending.why() == Unknown.Cause.CLOSED && !(ending.getCause() instanceof HttpStreamResetException);
    }
}
