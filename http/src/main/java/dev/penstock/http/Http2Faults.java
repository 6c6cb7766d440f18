package dev.penstock.http;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.http.http1.AnswerTooLarge;
import dev.penstock.http.http1.MalformedAnswer;
import dev.penstock.http.http2.Http2Connections;
import dev.penstock.http.http2.Http2Connector;
import dev.penstock.http.http2.Http2Stream;
import dev.penstock.text.Durations;
import java.io.IOException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpStreamResetException;
import org.apache.hc.core5.http2.H2ConnectionException;
import org.apache.hc.core5.http2.H2CorruptFrameException;
import org.apache.hc.core5.http2.H2Error;
import org.apache.hc.core5.http2.H2StreamResetException;
import org.jspecify.annotations.Nullable;

/** Maps the errors of exchanges over HTTP/2 to endings: those of {@link HttpFaults}, and those specific to HTTP/2. */
final class Http2Faults extends HttpFaults implements Http2Connections.Faults {
    Http2Faults(String target, TargetLimits limits) {
        super(target, null, limits);
    }

    /** The maximum number of concurrent calls is reached. */
    Rejected exhausted(long waited, int out, int max, long waiting) {
        return new Rejected(
                Rejected.Cause.POOL,
                "connection pool exhausted: no stream to " + target + " became free within " + Durations.format(waited)
                        + "; " + out + " of " + max + " are in use and " + waiting
                        + " more calls are waiting; raise pool.max or lower the limit of the flow");
    }

    @Override
    public Rejected allTaken(long waited, long connections, int waiting) {
        return new Rejected(
                Rejected.Cause.POOL,
                "connection pool exhausted: no stream to " + target + " became free within " + Durations.format(waited)
                        + "; all " + connections
                        + " connections have the maximum number of streams that the target allows"
                        + " and " + waiting + " more calls are waiting; raise pool.max or lower the limit of the flow");
    }

    @Override
    public Failed connectTimeout(long nanos) {
        return connectTimeout(nanos, null);
    }

    Failed notOffered(@Nullable Exception e) {
        return new Failed(Failed.Cause.CONNECT, target + " offers no HTTP/2 (ALPN): set the version to auto or 1.1", e);
    }

    /** Several connections in a row ended before the request was sent. */
    Failed neverSent(int connections) {
        return new Failed(
                Failed.Cause.CONNECT,
                target + " closed " + connections
                        + " connections before the request was sent: check whether it is starting or stopping");
    }

    /** The target reported that it did not process the request, so it is safe to send it again. */
    Failed notProcessed(Exception e) {
        return new Failed(
                Failed.Cause.CONNECT,
                target + " reported that it did not process the request: check whether it is stopping or overloaded",
                e);
    }

    /** Maps the error of opening a connection, for each call that waited for it. */
    @Override
    public Failed noConnection(Exception why) throws Rejected, Http2Connector.NotOffered {
        long nanos = Durations.nanos(limits.connectTimeout());
        return switch (why) {
            case Http2Connector.NotOffered _ -> throw new Http2Connector.NotOffered();
            default -> noConnection(why, nanos);
        };
    }

    /** Maps an error after at least a part of the request may have been sent. */
    Unknown noAnswer(Exception e, long nanos, boolean byDeadline) {
        return switch (e) {
            case Http2Stream.Refused refused -> noAnswer(asHttp1(refused), false, nanos, byDeadline);
            case HttpException _, H2ConnectionException _, H2CorruptFrameException _ -> garbled(e);
            default -> noAnswer(e, false, nanos, byDeadline);
        };
    }

    private static IOException asHttp1(Http2Stream.Refused refused) {
        return switch (refused.why()) {
            case TOO_LARGE -> new AnswerTooLarge();
            case OUT_OF_MEMORY -> new MemoryExhausted();
            case TOO_MANY_INTERIM -> Http1Codec.tooManyInterim();
        };
    }

    /** Maps an answer that is malformed. */
    Unknown garbled(Exception e) {
        String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        MalformedAnswer fault = new MalformedAnswer(text);
        fault.initCause(e);
        return noAnswer(fault, false, 0, false);
    }

    /** Whether the target requires HTTP/1.1 for the request (HTTP_1_1_REQUIRED, RFC 9113 section 7). */
    static boolean requiresHttp1(Unknown ending) {
        return ending.getCause() instanceof H2StreamResetException reset
                && reset.getCode() == H2Error.HTTP_1_1_REQUIRED.getCode();
    }

    /** Whether the connection ended, and not only the stream. */
    boolean isEndOfConnection(Unknown ending) {
        return ending.why() == Unknown.Cause.CLOSED && !(ending.getCause() instanceof HttpStreamResetException);
    }
}
