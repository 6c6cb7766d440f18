package dev.penstock.limit;

/**
 * Restores the limit after a target stopped answering for a while: one more permit per answer, which doubles the limit in the
 * time of one call, up to half of the earlier limit. TCP does the same after a timeout (RFC 5681, section 3.1: slow start up
 * to {@code ssthresh}, which is half of the data in flight).
 *
 * <p>No side effects; not thread-safe.
 */
final class Recovery {
    private double candidate;
    private double level;

    /**
     * The limit is cut. Of several cuts without an answer in between, only the first was made at a measured limit.
     *
     * @param before the limit until now; 0 when nothing was measured with it
     * @param noneAnswered whether no attempt was answered; otherwise the target may be overloaded
     * @return the level to recover to; 0 for no recovery
     */
    double onCut(double before, boolean noneAnswered) {
        candidate = Math.max(candidate, before / 2);
        level = noneAnswered ? candidate : 0;
        return level;
    }

    /** The next number of permits; unchanged when there is nothing to recover. */
    int grow(int permits, LoadSample sample) {
        if (permits >= level || sample.answered() == 0 || sample.dropped() > 0) {
            return permits;
        }
        return (int) Math.max(permits, Math.min(level, (double) permits + sample.answered()));
    }

    /** The level to recover to; 0 when there is nothing to recover. */
    double level() {
        return level;
    }

    /** The limit has recovered. */
    void clear() {
        level = 0;
        candidate = 0;
    }
}
