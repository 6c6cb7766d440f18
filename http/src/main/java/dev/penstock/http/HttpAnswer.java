package dev.penstock.http;

import dev.penstock.Busy;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/**
 * The answer to an {@link HttpCall}, whatever its status: a refusal by the target is an answer too.
 *
 * <p>Immutable, as long as nobody writes into the bytes of its body: they are not copied.
 */
public final class HttpAnswer implements Busy {
    private static final Set<Integer> NOT_TAKEN = Set.of(401, 407, 408, 421, 425, 429, 503);
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
     * An answer.
     *
     * @param status 200 to 599
     * @param headers its header fields
     * @param body its bytes, not copied; empty for none
     * @throws IllegalArgumentException when the status is out of range
     */
    public static HttpAnswer of(int status, Headers headers, byte[] body) {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("the status of an answer is 200 to 599, not " + status);
        }
        return new HttpAnswer(status, headers, body);
    }

    /** An answer of a text in UTF-8, without header fields; throws as {@link #of(int, Headers, byte[])} does. */
    public static HttpAnswer of(int status, String body) {
        return of(status, Headers.none(), body.getBytes(StandardCharsets.UTF_8));
    }

    /** This answer with every header field of the name replaced by one; throws as {@link Header} does. */
    public HttpAnswer withHeader(String name, String value) {
        return withHeader(new Header(name, value));
    }

    /** As above, with a field that was made before. */
    HttpAnswer withHeader(Header field) {
        return new HttpAnswer(status, headers.with(field), body);
    }

    /** The status code. */
    public int status() {
        return status;
    }

    /** Whether the target says that it has too much to do: 429 (RFC 6585 section 4) or 503 (RFC 9110 section 15.6.4). */
    @Override
    public boolean isBusy() {
        return status == TOO_MANY_REQUESTS || status == SERVICE_UNAVAILABLE;
    }

    /**
     * Whether the target took the request, whatever it said to it. Not with 401, 407, 408, 421, 425, 429 and 503: they speak
     * of who asks, of the way or of the target.
     */
    public boolean isTaken() {
        return !NOT_TAKEN.contains(status);
    }

    /** The header fields. */
    public Headers headers() {
        return headers;
    }

    /** The bytes of the body, not copied; empty when there is none. */
    public byte[] body() {
        return body;
    }

    /** The body as text in UTF-8. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return status + " (" + body.length + " bytes)";
    }
}
