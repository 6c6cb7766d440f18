package dev.penstock.http;

import dev.penstock.Keyed;
import dev.penstock.ReadOnly;
import dev.penstock.memory.MemoryBudget;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request that a flow carries. Its keys are its header fields: {@code Retry.byKey("Idempotency-Key")} finds the
 * header of that name.
 *
 * <pre>{@code
 * HttpCall.post("/v1/payments", xml).withHeader("Content-Type", "application/xml").withHeader("Idempotency-Key", id)
 * }</pre>
 *
 * <p>Immutable, as long as nobody writes into the bytes of its body: they are not copied.
 */
public final class HttpCall implements Keyed, ReadOnly {
    private static final byte[] NOTHING = new byte[0];
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS", "TRACE");
    /**
     * Also in the disguises that some targets undo: encoded, even several times, between backslashes, with parameters behind a
     * semicolon.
     */
    private static final Pattern DOT_SEGMENT = Pattern.compile(
            "(?i)(?:/|\\\\|%(?:25)*(?:2f|5c))(?:\\.|%(?:25)*2e){1,2}(?:/|\\\\|;|%(?:25)*(?:2f|5c|3b)|$)");

    private final String method;
    private final String path;
    private final Headers headers;
    private final byte[] body;
    /** What the transaction of this call holds in memory; null where nobody counts it. */
    private final MemoryBudget.@Nullable Lease memory;

    private HttpCall(String method, String path, Headers headers, byte[] body, MemoryBudget.@Nullable Lease memory) {
        this.method = method;
        this.path = path;
        this.headers = headers;
        this.body = body;
        this.memory = memory;
    }

    /**
     * A request.
     *
     * @param method a token such as {@code POST}
     * @param path begins with a slash, percent-encoded, and may end in a question mark and a query
     * @param headers its header fields
     * @param body its bytes, not copied; empty for none
     * @throws IllegalArgumentException when the method is no token, or the path does not begin with a slash, has a
     *     character that must be percent-encoded, or has a {@code .} or {@code ..} segment, also one in disguise, as
     *     {@code ..%2f} or {@code ..;}, which could lead a target to another place than it was meant for
     */
    public static HttpCall of(String method, String path, Headers headers, byte[] body) {
        if (!Header.isToken(method)) {
            throw new IllegalArgumentException("a method has only letters, digits and a few marks, as in POST");
        }
        checkPath(path);
        return new HttpCall(method, path, headers, body, null);
    }

    /** This request to another path, which is made of one that was checked. */
    HttpCall to(String checkedPath, Headers other) {
        return new HttpCall(method, checkedPath, other, body, memory);
    }

    /** This request with other header fields and a body. */
    HttpCall carrying(Headers other, byte[] content) {
        return new HttpCall(method, path, other, content, memory);
    }

    /** This request as part of a transaction with a lease, which is open until the answer has left. */
    HttpCall within(MemoryBudget.Lease lease) {
        return new HttpCall(method, path, headers, body, lease);
    }

    /** The lease of its transaction; null where there is none. */
    MemoryBudget.@Nullable Lease memory() {
        return memory;
    }

    /** A GET request without header fields; throws as {@link #of} does. */
    public static HttpCall get(String path) {
        return of("GET", path, Headers.none(), NOTHING);
    }

    /** A POST request without header fields; throws as {@link #of} does. */
    public static HttpCall post(String path, byte[] body) {
        return of("POST", path, Headers.none(), body);
    }

    /** A POST request of a text in UTF-8, without header fields; throws as {@link #of} does. */
    public static HttpCall post(String path, String body) {
        return post(path, body.getBytes(StandardCharsets.UTF_8));
    }

    /** This request with every header field of the name replaced by one; throws as {@link Header} does. */
    public HttpCall withHeader(String name, String value) {
        return withHeaders(headers.with(name, value));
    }

    /** This request with other header fields. */
    public HttpCall withHeaders(Headers other) {
        return new HttpCall(method, path, other, body, memory);
    }

    /** The method, as it was written. */
    public String method() {
        return method;
    }

    /** The path, with the query if there is one. */
    public String path() {
        return path;
    }

    /** The header fields. */
    public Headers headers() {
        return headers;
    }

    /** The bytes of the body, not copied; empty when there is none. */
    public byte[] body() {
        return body;
    }

    /** The value of the first header field of that name, or null; an empty value is no key. */
    @Override
    public @Nullable String key(String name) {
        String value = headers.first(name);
        return value == null || value.isEmpty() ? null : value;
    }

    /**
     * Whether the method is safe (RFC 9110 section 9.2.1): GET, HEAD, OPTIONS or TRACE, in capitals. PUT and DELETE are
     * not, though they are idempotent (section 9.2.2): a repeat that comes late may undo what another client did in
     * between, so a flow has to declare them, as by {@code Retry.ofIdempotent()}.
     */
    @Override
    public boolean isReadOnly() {
        return READING.contains(method);
    }

    /** Method and path without the query, which may hold secrets, and the size of the body. */
    @Override
    public String toString() {
        return method + " " + pathOnly(path) + " (" + body.length + " bytes)";
    }

    static String pathOnly(String path) {
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }

    private static void checkPath(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("a path begins with a slash");
        }
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c <= ' ' || c > '~' || c == '#') {
                throw new IllegalArgumentException(
                        "the path has a character at " + i + " that must be percent-encoded");
            }
        }
        if (leadsElsewhere(path)) {
            throw new IllegalArgumentException("the path has a . or .. segment: write the path that it stands for");
        }
    }

    /** Whether a path has a dot segment, also one in disguise. */
    static boolean leadsElsewhere(String path) {
        boolean mayHaveDots = path.indexOf('.') >= 0 || path.indexOf('%') >= 0;
        return mayHaveDots && DOT_SEGMENT.matcher(pathOnly(path)).find();
    }
}
