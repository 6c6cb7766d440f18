package dev.penstock.lab.load;

import dev.penstock.Ticker;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the number of calls started in any second, over all callers. One throttle may limit several loads, also
 * successive ones.
 *
 * <p>Implements the generic cell rate algorithm (ITU-T I.371). Calls are spaced evenly; a burst of up to a twentieth of
 * a second's calls is allowed, and the spacing is slightly longer to compensate.
 *
 * <p>Thread-safe.
 */
public final class Throttle {
    private static final double BURST_SECONDS = 0.05;

    private final long apart;
    private final long early;
    private final AtomicLong next = new AtomicLong();
    private volatile boolean begun;

    private Throttle(double most) {
        double burst = Math.max(1, Math.floor(BURST_SECONDS * most));
        apart = (long) Math.ceil(1e9 / (most - burst + 1));
        early = (long) ((burst - 1) * apart);
    }

    /**
     * A throttle.
     *
     * @param most maximum calls in any second; above 0
     */
    public static Throttle perSecond(double most) {
        if (!(most > 0)) {
            throw new IllegalArgumentException("a throttle's rate must be above 0, not " + most);
        }
        return new Throttle(most);
    }

    /**
     * Reserves the next start time.
     *
     * @param wanted the time at which a call wants to start
     * @return the time at which it may start, not before {@code wanted}
     */
    public long reserve(long wanted) {
        begin(wanted);
        while (true) {
            long due = next.get();
            long at = wanted - (due - early) >= 0 ? wanted : due - early;
            if (next.compareAndSet(due, (at - due > 0 ? at : due) + apart)) {
                return at;
            }
        }
    }

    /**
     * Reserves the next start time and waits for it.
     *
     * @param ticker the clock
     * @throws InterruptedException when the calling thread is interrupted
     */
    public void await(Ticker ticker) throws InterruptedException {
        long reserve = reserve(ticker.nanos());
        while (reserve - ticker.nanos() > 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while throttled");
            }
            ticker.parkUntil(reserve);
        }
    }

    /** Initializes the clock origin: readings may start anywhere, also below 0. */
    private void begin(long reading) {
        if (!begun) {
            synchronized (this) {
                if (!begun) {
                    next.set(reading);
                    begun = true;
                }
            }
        }
    }
}
