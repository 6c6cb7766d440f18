package dev.penstock.limit.simulate;

import dev.penstock.limit.Permit;

/** Whatever decides how many permits there are, as the simulator sees it. */
interface Tuner {
    int permits();

    /**
     * An attempt has finished.
     *
     * @param now when
     * @param nanos how long it was at the target
     * @param inFlight how many permits were out while it was, its own included, as of its end
     * @param outcome how its permit was closed
     */
    void finished(long now, long nanos, int inFlight, Permit.Outcome outcome);

    /** One came and found no permit free. */
    default void refused() {}

    /** A limit that never changes. */
    record Constant(int permits) implements Tuner {
        @Override
        public void finished(long now, long nanos, int inFlight, Permit.Outcome outcome) {
            // It never learns.
        }
    }
}
