package dev.penstock.lab.simulate.tcp;

import dev.penstock.Durations;
import java.time.Duration;

/**
 * When an idle connection is killed, and how. Pure.
 *
 * @param nanos how long without a byte of either side; above 0
 * @param how what happens then
 */
record IdleRule(long nanos, IdleKill how) {
    /** Kills nothing in 146 years. */
    static final IdleRule NEVER = after(Duration.ofDays(365_000), IdleKill.FIN);

    static IdleRule after(Duration idle, IdleKill how) {
        if (idle.isNegative() || idle.isZero()) {
            throw new IllegalArgumentException("kill connections that are idle for " + Durations.words(idle)
                    + ": give a time above 0, for instance 5s");
        }
        return new IdleRule(Durations.nanos(idle), how);
    }

    /** Whether a connection whose last byte was at one reading is to be killed at another. */
    boolean due(long lastByte, long now) {
        return now - lastByte >= nanos;
    }

    @Override
    public String toString() {
        return how.word() + " after " + Durations.words(nanos) + " idle";
    }
}
