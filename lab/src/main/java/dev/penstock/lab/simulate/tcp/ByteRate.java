package dev.penstock.lab.simulate.tcp;

/**
 * Computes when bytes pass a link of limited bandwidth. Pure: depends on the number of bytes and the time. Users of the
 * link are served in the order of their requests.
 *
 * <p>The generic cell rate algorithm (ITU-T I.371, annex A, virtual scheduling) without bursts: idle time earns
 * no credit.
 *
 * <p>Thread-safe.
 */
final class ByteRate {
    private static final long SECOND = 1_000_000_000;
    private static final int LARGEST_PIECE = 16 * 1024;
    /** A piece is a fiftieth of a second's bytes (20 ms of the link), so that bytes flow evenly. */
    private static final int PIECES_PER_SECOND = 50;

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

    /** The maximum number of bytes per reservation. */
    int piece() {
        return bytesPerSecond == 0 ? LARGEST_PIECE : Math.clamp(bytesPerSecond / PIECES_PER_SECOND, 1, LARGEST_PIECE);
    }

    /**
     * Reserves the next slot of the link.
     *
     * @param bytes 1 to {@link #piece()}
     * @return the time at which they may pass: now or later
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
        long needed = bytes * SECOND + rest;
        free += needed / bytesPerSecond;
        rest = needed % bytesPerSecond;
        return at;
    }
}
