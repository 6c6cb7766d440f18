package dev.penstock.limit;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many calls a second a target takes, for targets that refuse more whatever the number in flight: calls begin at slots that
 * are evenly spaced, as in the generic cell rate algorithm without a burst tolerance (ITU-T I.371). A bucket that saves tokens
 * needs no bursts from us: it is empty while it refuses.
 *
 * <p>Calls that had to wait for others raise the rate: by {@value #START} each, or about twofold in a second, until the first
 * refusal, then quickly up to where it was last refused, slowly from there, and faster the longer nothing is refused. A refusal
 * takes back as much as {@value #CALLS_PER_REFUSAL} calls gave, so the rate settles where about one call in so many is refused,
 * at any speed. A refusal costs more than itself: a limiter that takes one call in each interval refuses every other one of calls
 * that come slightly faster.
 *
 * <p>{@link #reserve} is thread-safe; the other methods are called by one thread at a time.
 */
final class RateBound {
    private static final int CALLS_PER_REFUSAL = 48;
    private static final double START = 0.005;
    private static final double START_NANOS = 1e9;
    private static final double LEAST_GROWTH = 1.5e-5;
    private static final double MOST_GROWTH = 1e-3;
    private static final double MOST_BACK = 0.1;
    private static final double NEAR = 0.98;
    private static final long FASTER_AFTER = 200;
    private static final long FASTER_AFTER_NANOS = 4_000_000_000L;
    private static final int BUSY_SLOTS = 3;

    private final AtomicLong nextSlot = new AtomicLong();
    private volatile double perNano = Double.POSITIVE_INFINITY;
    private double growth;
    private double refusedAt;
    private long calm;
    private long calmFrom;
    private long heldUntil;

    /**
     * Takes the next slot, unless it is too late.
     *
     * @return how long the call that comes now has to wait for it, in nanoseconds; -1 when that is more than {@code most}
     */
    long reserve(long now, long most) {
        double rate = perNano;
        if (rate == Double.POSITIVE_INFINITY) {
            return 0;
        }
        long interval = (long) (1 / rate);
        while (true) {
            long next = nextSlot.get();
            long wait = Math.max(0, next - now);
            if (wait > most) {
                return -1;
            }
            if (nextSlot.compareAndSet(next, now + wait + interval)) {
                return wait;
            }
        }
    }

    /** How many calls wait for their slots. */
    double waiting(long now) {
        return Math.max(0, nextSlot.get() - now) * perNano;
    }

    void set(double callsPerNano, long now) {
        growth = START;
        refusedAt = Double.POSITIVE_INFINITY;
        calm = 0;
        calmFrom = now;
        heldUntil = now;
        nextSlot.set(now);
        perNano = callsPerNano;
    }

    /** As {@link #set}, but calls that have their slots keep them. */
    void change(double callsPerNano, long now) {
        if (isSet()) {
            perNano = callsPerNano;
        } else {
            set(callsPerNano, now);
        }
    }

    /** The target took no more than this, maybe only while it was down: so it grows again as from the start. */
    void lowerTo(double callsPerNano) {
        refusedAt = Double.POSITIVE_INFINITY;
        growth = START;
        perNano = Math.min(perNano, callsPerNano);
    }

    void clear() {
        perNano = Double.POSITIVE_INFINITY;
    }

    boolean isSet() {
        return perNano < Double.POSITIVE_INFINITY;
    }

    double perNano() {
        return perNano;
    }

    /** Infinite when it is not set. */
    double perSecond() {
        return 1e9 * perNano;
    }

    /** Follows the calls that have begun and were refused since the last time; not below a rate that came through unbounded. */
    void follow(long now, long begun, long refused, double least) {
        // Unless so many wait for their slots, the number of permits bounds them, and not the rate.
        boolean binds = waiting(now) >= BUSY_SLOTS;
        if (now - heldUntil < 0) {
            return;
        }
        if (refused > 0) {
            calm = 0;
            calmFrom = now;
            refusedAt = perNano;
            boolean isFar = growth > MOST_GROWTH;
            for (long each = 0; each < (isFar ? 1 : refused); each++) {
                perNano *= 1 - Math.min(MOST_BACK, CALLS_PER_REFUSAL * growth);
                growth = Math.max(LEAST_GROWTH, growth / 2);
            }
            perNano = Math.max(least, perNano);
            // Calls that have their slots come at the earlier rate.
            heldUntil = isFar ? Math.max(now, nextSlot.get()) : now;
        } else if (binds) {
            perNano *= 1 + Math.min(1, growth() * begun);
            calm += begun;
            if (calm >= FASTER_AFTER || now - calmFrom >= FASTER_AFTER_NANOS) {
                calm = 0;
                calmFrom = now;
                growth = Math.min(START, 2 * growth);
            }
        }
    }

    private double growth() {
        if (growth == START) {
            return Math.max(START, 1 / (START_NANOS * perNano));
        }
        return perNano < NEAR * refusedAt ? Math.max(MOST_GROWTH, growth) : growth;
    }
}
