package dev.penstock.gateway;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Ids of transactions: UUIDs of version 7 (RFC 9562 section 5.7), which sort by the time they were made, to the millisecond,
 * and of which nobody can guess the other 74 bits. Safe for many threads.
 */
final class TransactionIds {
    private static final Pattern FORM =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    private static final long VERSION = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private final RandomGenerator random;

    TransactionIds() {
        this(new SecureRandom());
    }

    TransactionIds(RandomGenerator random) {
        this.random = random;
    }

    /**
     * A new one.
     *
     * @param millis since 1970
     */
    String next(long millis) {
        long high = millis << 16 | VERSION | (random.nextLong() & 0xfff);
        long low = random.nextLong() >>> 2 | VARIANT;
        return new UUID(high, low).toString();
    }

    /** Whether a text has the form of one. */
    static boolean isOne(String text) {
        return FORM.matcher(text).matches();
    }

    /** The number that makes who knows an id the owner of its key in a ledger. */
    static long owner(String id) {
        return UUID.fromString(id).getLeastSignificantBits();
    }
}
