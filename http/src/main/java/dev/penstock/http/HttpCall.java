package dev.penstock.http;

import dev.penstock.Keyed;
import dev.penstock.ReadOnly;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.http.internal.Paths;
import dev.penstock.memory.MemoryBudget;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request. Its keys are its header fields: {@code Retry.byKey("Idempotency-Key")} uses the header of that name.
 *
 * <pre>{@code
 * HttpCall.postJson("/v1/payments", json).withHeader("Idempotency-Key", id)
 * }</pre>
 *
 * <p>Immutable if the array of the body is not modified; it is not copied.
 */
public final class HttpCall implements Keyed, ReadOnly {
    private static final byte[] NOTHING = new byte[0];
    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    /** Of RFC 9110 and RFC 5789. Clients choose the others, so traces call them all {@code _OTHER}. */
    private static final Set<String> KNOWN_METHODS =
            Set.of("CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE");

    private final String method;
    private final String path;
    private final Headers headers;
    private final byte[] body;
    /** The memory reserved by the transaction of this call; null if it is not counted. */
    private final MemoryBudget.@Nullable Lease memory;

    private HttpCall(String method, String path, Headers headers, byte[] body, MemoryBudget.@Nullable Lease memory) {
        this.method = method;
        this.path = path;
        this.headers = headers;
        this.body = body;
        this.memory = memory;
    }

    /**
     * Creates a request.
     *
     * @param method a token such as {@code POST}
     * @param path begins with a slash, percent-encoded; may have a query
     * @param headers the header fields
     * @param body the bytes, not copied; empty for none
     * @throws IllegalArgumentException if the method is not a token, or the path does not begin with a slash, has a character
     *     that must be percent-encoded, or has a {@code .} or {@code ..} segment, even an obfuscated one such as {@code ..%2f}
     *     or {@code ..;}, which could address another resource of the target (path traversal)
     */
    public static HttpCall of(String method, String path, Headers headers, byte[] body) {
        if (!Header.isToken(method)) {
            throw new IllegalArgumentException("the method is not a token such as POST");
        }
        Paths.check(path);
        return new HttpCall(method, path, headers, body, null);
    }

    /** A copy with another path, derived from a validated one, and other header fields. */
    HttpCall to(String checkedPath, Headers other) {
        return new HttpCall(method, checkedPath, other, body, memory);
    }

    /** A copy with another path; throws the exceptions of {@link #of}. */
    public HttpCall onPath(String other) {
        Paths.check(other);
        return to(other, headers);
    }

    /** A copy with its body, once that was received, and with a lease of memory, open until the answer has been written. */
    @SuppressWarnings("exports") // for the source
    public HttpCall received(byte[] bytes, MemoryBudget.Lease lease) {
        return new HttpCall(method, path, headers, bytes, lease);
    }

    /** The memory lease of its transaction, or null. */
    MemoryBudget.@Nullable Lease memory() {
        return memory;
    }

    /** Creates a GET request without header fields; throws the exceptions of {@link #of}. */
    public static HttpCall get(String path) {
        return of("GET", path, Headers.none(), NOTHING);
    }

    /** Creates a POST request without header fields; throws the exceptions of {@link #of}. */
    public static HttpCall post(String path, byte[] body) {
        return of("POST", path, Headers.none(), body);
    }

    /** Creates a POST request with a UTF-8 text and no header fields; throws the exceptions of {@link #of}. */
    public static HttpCall post(String path, String body) {
        return post(path, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Creates a POST request with a JSON text and its {@code Content-Type}; throws the exceptions of {@link #of}. */
    public static HttpCall postJson(String path, String json) {
        return post(path, json).withHeader("Content-Type", "application/json");
    }

    /** Creates a PUT request without header fields; throws the exceptions of {@link #of}. */
    public static HttpCall put(String path, byte[] body) {
        return of("PUT", path, Headers.none(), body);
    }

    /** Creates a PUT request with a UTF-8 text and no header fields; throws the exceptions of {@link #of}. */
    public static HttpCall put(String path, String body) {
        return put(path, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Creates a PATCH request without header fields; throws the exceptions of {@link #of}. */
    public static HttpCall patch(String path, byte[] body) {
        return of("PATCH", path, Headers.none(), body);
    }

    /** Creates a PATCH request with a UTF-8 text and no header fields; throws the exceptions of {@link #of}. */
    public static HttpCall patch(String path, String body) {
        return patch(path, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Creates a DELETE request without header fields and body; throws the exceptions of {@link #of}. */
    public static HttpCall delete(String path) {
        return of("DELETE", path, Headers.none(), NOTHING);
    }

    /** A copy with all header fields of the name replaced by one; throws the exceptions of {@link Header}. */
    public HttpCall withHeader(String name, String value) {
        return withHeaders(headers.with(name, value));
    }

    /** A copy with other header fields. */
    public HttpCall withHeaders(Headers other) {
        return new HttpCall(method, path, other, body, memory);
    }

    /** Returns the method in its original case. */
    public String method() {
        return method;
    }

    /** Returns the path, with the query if there is one. */
    public String path() {
        return path;
    }

    /** Returns the header fields. */
    public Headers headers() {
        return headers;
    }

    /** Returns the bytes of the body, not copied; empty if there is none. */
    public byte[] body() {
        return body;
    }

    /**
     * Describes this request by OpenTelemetry's conventions: {@code http.request.method} and {@code url.path}. Without its query,
     * which may contain secrets.
     *
     * @param attributes receives the name and the value of each attribute
     */
    public void describe(BiConsumer<String, Object> attributes) {
        attributes.accept("http.request.method", KNOWN_METHODS.contains(method) ? method : "_OTHER");
        attributes.accept("url.path", Paths.withoutQuery(path));
    }

    /** Returns the value of the first header field of that name, or null; an empty value is not a key. */
    @Override
    public @Nullable String key(String name) {
        String value = headers.first(name);
        if (value == null) {
            boolean _ = KeyHint.check(name, headers);
        }
        return value == null || value.isEmpty() ? null : value;
    }

    /**
     * Whether the method is safe (RFC 9110 section 9.2.1): GET, HEAD, OPTIONS or TRACE, in upper case. PUT and DELETE are
     * idempotent (section 9.2.2) but not safe: a late repetition may undo a change that another client made in between. A flow
     * has to declare them, for instance with {@code Retry.ofIdempotent()}.
     */
    @Override
    public boolean isReadOnly() {
        return SAFE_METHODS.contains(method);
    }

    /** Method, path without the query (which may contain secrets), and size of the body. */
    @Override
    public String toString() {
        return method + " " + Paths.withoutQuery(path) + " (" + body.length + " bytes)";
    }
}
