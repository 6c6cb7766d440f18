package dev.penstock.lab.simulate;

import org.jspecify.annotations.Nullable;

/**
 * Reports each opening of a fault window once, also after the time line was restarted. Times are arguments; the clock
 * only tells when the time line started.
 *
 * <p>Not thread-safe.
 */
public final class WindowWatch {
    private final FaultClock clock;
    private final Closings closings;
    private FaultClock.Origin origin;
    private long reported;

    /**
     * A watch that has reported nothing yet.
     *
     * @param clock when the time line started
     * @param closings its windows
     */
    public WindowWatch(FaultClock clock, Closings closings) {
        this.clock = clock;
        this.closings = closings;
        this.origin = clock.origin();
    }

    /** How the window open at this time closes connections, if not reported before; null otherwise. */
    public @Nullable Closing opened(long reading) {
        FaultClock.Origin latest = clock.origin();
        if (latest.number() != origin.number()) {
            origin = latest;
            reported = 0;
        }
        long window = closings.when().window(origin.until(reading));
        if (window <= reported) {
            return null;
        }
        reported = window;
        return closings.way(window);
    }

    /** The time of the next check, after a check at this time. */
    public long nextCheck(long reading) {
        return origin.nextCheck(closings.when(), origin.until(reading), reading);
    }
}
