package dev.penstock.lab.simulate.tcp;

import dev.penstock.text.Durations;
import java.time.Duration;

/**
 * When and how an idle connection is killed. Pure.
 *
 * @param nanos idle time without a byte in either direction; above 0
 * @param how how it is killed
 */
record IdleRule(long nanos, IdleKill how) {
    /** Kills nothing for 146 years or more. */
    static final IdleRule NEVER = after(Duration.ofDays(365_000), IdleKill.FIN);

    static IdleRule after(Duration idle, IdleKill how) {
        if (idle.isNegative() || idle.isZero()) {
            throw new IllegalArgumentException(
                    "idle time " + Durations.format(idle) + ": use a time above 0, for instance 5s");
        }
        return new IdleRule(Durations.nanos(idle), how);
    }

    /** Whether to kill a connection with this last-byte time. */
    boolean due(long lastByte, long now) {
        return now - lastByte >= nanos;
    }

    @Override
    public String toString() {
        return how.word() + " after " + Durations.format(nanos) + " idle";
    }
}
