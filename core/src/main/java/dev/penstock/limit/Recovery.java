package dev.penstock.limit;

/**
 * Brings the limit back after a target fell silent: one more permit for each answer, so that it doubles in the time of a call,
 * up to half of what there was before. TCP does the same after a timeout (RFC 5681, section 3.1: slow start up to
 * {@code ssthresh}, which is half of what was in flight).
 *
 * <p>Pure; not safe for many threads.
 */
final class Recovery {
    private double candidate;
    private double level;

    /**
     * Attempts came to nothing. Of several cuts in one silence only the first was at a limit that meant something.
     *
     * @param before the limit until now; 0 when nothing was measured with it
     * @param silent whether nothing was answered at all; otherwise the target may have too much to do
     * @return up to which level to come back; 0 to stay
     */
    double lost(double before, boolean silent) {
        candidate = Math.max(candidate, before / 2);
        level = silent ? candidate : 0;
        return level;
    }

    /** How many permits there are to be; the same number when there is nothing to recover. */
    int grow(int permits, LoadSample sample) {
        if (permits >= level || sample.answered() == 0 || sample.dropped() > 0) {
            return permits;
        }
        return (int) Math.max(permits, Math.min(level, (double) permits + sample.answered()));
    }

    /** Up to which level it comes back; 0 when there is nothing to recover. */
    double level() {
        return level;
    }

    /** The limit has recovered. */
    void clear() {
        level = 0;
        candidate = 0;
    }
}
