package dev.penstock.gateway.status;

import dev.penstock.Service;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.text.Sha256;
import dev.penstock.text.Uuid7;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Objects;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Transaction ids: UUIDs of version 7 (RFC 9562 section 5.7), which sort by creation time in milliseconds and contain
 * 74 secure random bits. Thread-safe.
 */
public final class TransactionIds {
    /** The header with the transaction id within the gateway. */
    public static final String HEADER = "Penstock-Id";

    private static final Pattern FORM =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    private static final long DERIVED_VERSION = 0x8000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private final RandomGenerator random;

    public TransactionIds() {
        this(new SecureRandom());
    }

    /** @param random a secure one, if an id gives access to the outcome of its transaction */
    public TransactionIds(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Creates an id.
     *
     * @param millis the time since 1970
     */
    public String next(long millis) {
        return Uuid7.next(random, millis);
    }

    /** The id of a message without one: a UUID of version 8 (RFC 9562 section 5.8), equal for equal keys of a queue. */
    public static String derived(String queue, String key) {
        ByteBuffer hash = ByteBuffer.wrap(Sha256.of(queue + '\n' + key));
        long high = (hash.getLong() & ~0xf000L) | DERIVED_VERSION;
        return new UUID(high, hash.getLong() >>> 2 | VARIANT).toString();
    }

    /**
     * Gives each request an id before it enters a flow, so that all its attempts have the same.
     *
     * @param kept whether a request keeps the id that it has; otherwise it could be that of a client
     */
    public Service<HttpCall, HttpAnswer> before(Service<HttpCall, HttpAnswer> flow, boolean kept) {
        return call -> flow.call(kept && isIn(call) ? call : call.withHeader(HEADER, current()));
    }

    private String current() {
        String given = CurrentTransaction.id();
        return given != null && isValid(given) ? given : next(System.currentTimeMillis());
    }

    /** The id of a request, which {@link #before} has added. */
    public static String of(HttpCall call) {
        return Objects.requireNonNull(call.headers().first(HEADER));
    }

    private static boolean isIn(HttpCall call) {
        String id = call.headers().first(HEADER);
        return id != null && isValid(id);
    }

    /** Whether a text has the form of an id. */
    public static boolean isValid(String text) {
        return FORM.matcher(text).matches();
    }

    /** The owner of the key in the store, derived from the id, so every process that has the id is the owner. */
    static long owner(String id) {
        return UUID.fromString(id).getLeastSignificantBits();
    }
}
