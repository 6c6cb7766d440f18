package dev.penstock.http;

import dev.penstock.Busy;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The answer to an {@link HttpCall}, of any status: an error status of the target is an answer too.
 *
 * <p>Immutable if the array of the body is not modified; it is not copied.
 */
public final class HttpAnswer implements Busy {
    private static final Set<Integer> NOT_TAKEN = Set.of(401, 407, 408, 421, 425, 429, 503, 508);
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;

    private final int status;
    private final Headers headers;
    private final byte[] body;

    private HttpAnswer(int status, Headers headers, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    /**
     * Creates an answer.
     *
     * @param status 200 to 599
     * @param headers the header fields
     * @param body the bytes, not copied; empty for none
     * @throws IllegalArgumentException if the status is out of range
     */
    public static HttpAnswer of(int status, Headers headers, byte[] body) {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("the status of an answer must be 200 to 599, not " + status);
        }
        return new HttpAnswer(status, headers, body);
    }

    /**
     * The answer that a target gave to a call, as callers get it: without hop-by-hop fields, and without Content-Length, which is
     * derived from the body; only for HEAD it is the length of the body that a GET would return.
     */
    static HttpAnswer received(HttpCall call, int status, Headers headers, byte[] body) {
        boolean keepsLength = "HEAD".equals(call.method());
        return of(status, headers.endToEnd(field -> !keepsLength && field.is("Content-Length"), Headers.none()), body);
    }

    /** Creates an answer with a UTF-8 text and no header fields; throws the exceptions of {@link #of(int, Headers, byte[])}. */
    public static HttpAnswer of(int status, String body) {
        return of(status, Headers.none(), body.getBytes(StandardCharsets.UTF_8));
    }

    /** A copy with all header fields of the name replaced by one; throws the exceptions of {@link Header}. */
    public HttpAnswer withHeader(String name, String value) {
        return withHeader(new Header(name, value));
    }

    /** A copy with all header fields of that name replaced by this one. */
    public HttpAnswer withHeader(Header field) {
        return new HttpAnswer(status, headers.with(field), body);
    }

    /** Returns the status code. */
    @Override
    public int status() {
        return status;
    }

    /**
     * Returns the time of {@code Retry-After} (RFC 9110 section 10.2.3), seconds or a date; null without a valid one. A date is
     * compared with the {@code Date} of the answer, so the clocks need not agree, or with the clock of this machine.
     */
    @Override
    public @Nullable Duration retryAfter() {
        return RetryAfter.of(headers, InstantSource.system());
    }

    /** Whether the target reports overload: 429 (RFC 6585 section 4) or 503 (RFC 9110 section 15.6.4). */
    @Override
    public boolean isBusy() {
        return status == TOO_MANY_REQUESTS || status == SERVICE_UNAVAILABLE;
    }

    /**
     * Whether the target accepted the request for processing, whatever the outcome. False for 401, 407, 408, 421, 425, 429, 503
     * and 508, which concern the client, the connection, the way to the target or its state.
     */
    public boolean isTaken() {
        return !NOT_TAKEN.contains(status);
    }

    /** Returns the header fields. */
    public Headers headers() {
        return headers;
    }

    /** Returns the bytes of the body, not copied; empty if there is none. */
    public byte[] body() {
        return body;
    }

    /** Returns the body decoded as UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return status + " (" + body.length + " bytes)";
    }
}
