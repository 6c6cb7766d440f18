package dev.penstock.gateway.status;

import java.security.SecureRandom;
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
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    private static final long VERSION = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private final RandomGenerator random;

    public TransactionIds() {
        this(new SecureRandom());
    }

    TransactionIds(RandomGenerator random) {
        this.random = random;
    }

    /**
     * Creates an id.
     *
     * @param millis the time since 1970
     */
    public String next(long millis) {
        long high = millis << 16 | VERSION | (random.nextLong() & 0xfff);
        long low = random.nextLong() >>> 2 | VARIANT;
        return new UUID(high, low).toString();
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
