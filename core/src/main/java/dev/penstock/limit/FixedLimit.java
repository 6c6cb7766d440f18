package dev.penstock.limit;

/** A fixed number of permits, unless another number is pinned. */
public final class FixedLimit implements LimitController {
    /** The maximum number of permits of any limit. */
    public static final int MOST = 1_000_000;

    private final int given;
    private final String reason;
    private volatile int permits;

    /**
     * A fixed number of permits.
     *
     * @param permits the number of permits; 1 to 1,000,000
     * @param reason why this number: one sentence
     * @throws IllegalArgumentException when out of range
     */
    public FixedLimit(int permits, String reason) {
        check(permits);
        this.given = permits;
        this.permits = permits;
        this.reason = reason;
    }

    private static void check(int permits) {
        if (permits < 1 || permits > MOST) {
            throw new IllegalArgumentException("a limit is 1 to 1000000 permits, not " + permits);
        }
    }

    @Override
    public int permits() {
        return permits;
    }

    @Override
    public String reason() {
        return reason;
    }

    @Override
    public void pin(int wanted) {
        check(wanted);
        permits = wanted;
    }

    @Override
    public void unpin(long now) {
        permits = given;
    }

    @Override
    public LimitingFactor limitingFactor() {
        return LimitingFactor.PINNED;
    }

    @Override
    public void sample(LoadSample sample) {
        // A fixed limit learns nothing.
    }
}
