package dev.penstock.lab.load;

import dev.penstock.Ticker;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds how many calls start in any second, whoever starts them and however fast they are answered. One throttle may bound several
 * loads, also one after the other.
 *
 * <p>It is the generic cell rate algorithm (ITU-T I.371): calls are a fixed time apart, and a twentieth of a second's calls may come
 * together, for which that time is a little longer.
 *
 * <p>Safe for many threads.
 */
public final class Throttle {
    private static final double TOGETHER = 0.05;

    private final long apart;
    private final long early;
    private final AtomicLong next = new AtomicLong();
    private volatile boolean begun;

    private Throttle(double most) {
        double together = Math.max(1, Math.floor(TOGETHER * most));
        apart = (long) Math.ceil(1e9 / (most - together + 1));
        early = (long) ((together - 1) * apart);
    }

    /**
     * A throttle.
     *
     * @param most how many in any second; above 0
     */
    public static Throttle perSecond(double most) {
        if (!(most > 0)) {
            throw new IllegalArgumentException("a throttle lets more than 0 a second through, not " + most);
        }
        return new Throttle(most);
    }

    /**
     * Takes the next place.
     *
     * @param wanted the reading at which a call wants to start
     * @return the reading at which it may, not before {@code wanted}
     */
    public long place(long wanted) {
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
     * Waits for the next place.
     *
     * @param ticker whose readings places are
     * @throws InterruptedException when the calling thread was interrupted
     */
    public void await(Ticker ticker) throws InterruptedException {
        long place = place(ticker.nanos());
        while (place - ticker.nanos() > 0) {
            if (Thread.interrupted()) {
                throw new InterruptedException("no call is wanted any more");
            }
            ticker.parkUntil(place);
        }
    }

    /** Readings begin anywhere, below 0 too. */
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
