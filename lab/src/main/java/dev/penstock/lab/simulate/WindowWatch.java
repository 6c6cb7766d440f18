package dev.penstock.lab.simulate;

import org.jspecify.annotations.Nullable;

/**
 * Tells each opening of a fault window once, also after the timeline was begun anew. Readings go in; it has no clock of its
 * own but the one that tells when the timeline began.
 *
 * <p>Not safe for many threads: one watches.
 */
public final class WindowWatch {
    private final FaultClock clock;
    private final Closings closings;
    private FaultClock.Origin origin;
    private long told;

    /**
     * A watch that has told nothing.
     *
     * @param clock when the timeline began
     * @param closings its windows
     */
    public WindowWatch(FaultClock clock, Closings closings) {
        this.clock = clock;
        this.closings = closings;
        this.origin = clock.origin();
    }

    /** The way of closing of the window that is open at a reading, if it was not told before; null otherwise. */
    public @Nullable Closing opened(long reading) {
        FaultClock.Origin latest = clock.origin();
        if (latest.number() != origin.number()) {
            origin = latest;
            told = 0;
        }
        long window = closings.when().window(origin.until(reading));
        if (window <= told) {
            return null;
        }
        told = window;
        return closings.way(window);
    }

    /** The reading at which to ask again, when it was asked at one just now. */
    public long nextLook(long reading) {
        return origin.nextLook(closings.when(), origin.until(reading), reading);
    }
}
