package dev.penstock.lab.simulate.tcp;

/**
 * When bytes may pass a link that carries only so many a second: pure, a number of bytes and a reading go in and a reading
 * comes out. All who use the link take turns in the order in which they ask.
 *
 * <p>The generic cell rate algorithm (ITU-T I.371, annex A, virtual scheduling) without a burst: a link that was idle saves
 * nothing up.
 *
 * <p>Safe for many threads.
 */
final class ByteRate {
    private static final long SECOND = 1_000_000_000;
    private static final int LARGEST_PIECE = 16 * 1024;
    /** A piece is a fiftieth of a second's bytes, 20 ms of the link, so that bytes flow and do not come by the second. */
    private static final int PIECES_A_SECOND = 50;

    private final long bytesPerSecond;
    private boolean used;
    private long free;
    private long rest;

    /**
     * A link.
     *
     * @param bytesPerSecond 0 for no limit
     */
    ByteRate(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    /** How many bytes to ask for at once at most. */
    int piece() {
        return bytesPerSecond == 0 ? LARGEST_PIECE : Math.clamp(bytesPerSecond / PIECES_A_SECOND, 1, LARGEST_PIECE);
    }

    /**
     * Takes the next place on the link.
     *
     * @param bytes 1 to {@link #piece()}
     * @return the reading at which they may pass: now or later
     */
    synchronized long reserve(int bytes, long now) {
        if (bytesPerSecond == 0) {
            return now;
        }
        if (!used || free - now < 0) {
            used = true;
            free = now;
            rest = 0;
        }
        long at = free;
        long owed = bytes * SECOND + rest;
        free += owed / bytesPerSecond;
        rest = owed % bytesPerSecond;
        return at;
    }
}
