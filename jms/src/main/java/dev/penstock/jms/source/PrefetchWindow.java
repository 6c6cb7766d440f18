package dev.penstock.jms.source;

import dev.penstock.LiveSetting;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * How many messages may be received now: as many as the flow can have in process, and a few to step in when one ends, less
 * those in hand. Never more in hand than the bound. Safe for many threads.
 */
final class PrefetchWindow {
    /** The most in hand while the flow's own limit decides. */
    static final int MOST_AUTOMATIC = 10_000;

    /** The bound where nothing else bounds the flow. */
    static final int WITHOUT_LIMIT = 500;

    private final int pinned;
    private final IntSupplier capacity;
    private final AtomicInteger inHand = new AtomicInteger();
    private final AtomicInteger kept = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    /**
     * Room behind a flow.
     *
     * @param pinned the most in hand; 0 for what the flow can carry
     * @param capacity how many the flow can have in process
     */
    PrefetchWindow(int pinned, IntSupplier capacity) {
        this.pinned = pinned;
        this.capacity = capacity;
    }

    int bound() {
        if (pinned > 0) {
            return pinned;
        }
        return capacity.getAsInt() == Integer.MAX_VALUE ? WITHOUT_LIMIT : MOST_AUTOMATIC;
    }

    /** How many may be received now; 0 or more. */
    int left() {
        int held = inHand.get() + kept.get();
        int carried = capacity.getAsInt();
        if (carried == Integer.MAX_VALUE) {
            return Math.max(0, (pinned > 0 ? pinned : WITHOUT_LIMIT) - held);
        }
        int active = held - waiting.get();
        int wanted = carried == 0 ? 0 : carried + Math.max(1, carried / 8) - active;
        return Math.max(0, Math.min(wanted, (pinned > 0 ? pinned : MOST_AUTOMATIC) - held));
    }

    /** Keeps a place for a message that is to be received, if there is one: for who receives beside others. */
    synchronized boolean tryKeep() {
        if (left() == 0) {
            return false;
        }
        kept.incrementAndGet();
        return true;
    }

    /** No message came for a place that was kept. */
    void keepNoLonger() {
        kept.decrementAndGet();
    }

    /** A message came for a place that was kept. */
    void takeKept() {
        take();
        kept.decrementAndGet();
    }

    /** A message is in hand. */
    void take() {
        int held = inHand.incrementAndGet();
        if (held > most.get()) {
            most.accumulateAndGet(held, Math::max);
        }
    }

    void giveBack() {
        inHand.decrementAndGet();
    }

    /** One in hand waits for its next attempt, and leaves its place in the flow to another meanwhile. */
    void beginsToWait() {
        waiting.incrementAndGet();
    }

    void waitedEnough() {
        waiting.decrementAndGet();
    }

    int inHand() {
        return inHand.get();
    }

    /** The most that were in hand at once so far. */
    int mostInHand() {
        return most.get();
    }

    LiveSetting.Now setting() {
        if (pinned > 0) {
            return new LiveSetting.Now(Integer.toString(pinned), "1.." + MOST_AUTOMATIC, "given", true);
        }
        int carried = capacity.getAsInt();
        if (carried == Integer.MAX_VALUE) {
            return new LiveSetting.Now(
                    Integer.toString(WITHOUT_LIMIT),
                    "1.." + MOST_AUTOMATIC,
                    "nothing bounds the flow; give it a limit, and this follows",
                    false);
        }
        return new LiveSetting.Now(
                Integer.toString(Math.min(MOST_AUTOMATIC, carried + Math.max(1, carried / 8))),
                "1.." + MOST_AUTOMATIC,
                "the flow carries " + carried + " at once; an eighth more steps in when one ends",
                false);
    }
}
