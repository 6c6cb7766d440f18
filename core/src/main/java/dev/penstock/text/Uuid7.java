package dev.penstock.text;

import java.util.UUID;
import java.util.random.RandomGenerator;

/** UUIDs of version 7 (RFC 9562 section 5.7), which sort by their creation time in milliseconds and contain 74 random bits. */
public final class Uuid7 {
    private static final String URN = "urn:uuid:";
    private static final long VERSION = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private Uuid7() {}

    /** The URN of one (RFC 9562 section 4). */
    public static String urn(String uuid) {
        return URN + uuid;
    }

    /** The UUID of a URN; any other text as it is. */
    public static String ofUrn(String text) {
        return text.startsWith(URN) ? text.substring(URN.length()) : text;
    }

    /**
     * Creates one.
     *
     * @param random a secure one, if nobody may guess the UUID
     * @param millis the time since 1970
     */
    public static String next(RandomGenerator random, long millis) {
        long high = millis << 16 | VERSION | (random.nextLong() & 0xfff);
        return new UUID(high, random.nextLong() >>> 2 | VARIANT).toString();
    }
}
