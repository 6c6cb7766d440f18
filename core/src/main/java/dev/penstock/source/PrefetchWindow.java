package dev.penstock.source;

import dev.penstock.LiveSetting;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the messages in flight: as many as the flow can process, plus a few to continue with immediately. Never
 * exceeds the maximum. Thread-safe.
 *
 * <p>Until as many messages have ended as the flow processes at once, there are none to continue with. They would wait for
 * permits, and the limit of a flow doubles while requests wait and no call has returned, so that independent callers are not
 * rejected: a backlog would be sent as a whole to a target that is slow to answer at first.
 */
public final class PrefetchWindow {
    /** The maximum in flight while the flow's own limit decides. */
    public static final int MAX_AUTOMATIC = 10_000;

    /** The maximum in flight when the flow has no limit. */
    public static final int WITHOUT_LIMIT = 500;

    private static final Logger LOG = LoggerFactory.getLogger(PrefetchWindow.class);
    private static final long REPEAT_NANOS = 1_000_000_000;

    private final int pinned;
    private final IntSupplier capacity;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger reserved = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger peak = new AtomicInteger();
    private final LongAdder ended = new LongAdder();
    private volatile boolean oneByOne;

    /**
     * A window for a flow.
     *
     * @param pinned the maximum in flight; 0 to follow the capacity of the flow
     * @param capacity the number of messages that the flow can process concurrently
     */
    public PrefetchWindow(int pinned, IntSupplier capacity) {
        this.pinned = pinned;
        this.capacity = capacity;
    }

    /** The maximum number of messages in flight. */
    public int maxInFlight() {
        if (pinned > 0) {
            return pinned;
        }
        return capacity.getAsInt() == Integer.MAX_VALUE ? WITHOUT_LIMIT : MAX_AUTOMATIC;
    }

    /** The number of messages that may be received now; 0 or more. */
    public int available() {
        int held = inFlight.get() + reserved.get();
        int flowCapacity = capacity.getAsInt();
        if (oneByOne) {
            return held == 0 && flowCapacity > 0 ? 1 : 0;
        }
        if (flowCapacity == Integer.MAX_VALUE) {
            return Math.max(0, (pinned > 0 ? pinned : WITHOUT_LIMIT) - held);
        }
        int active = held - waiting.get();
        int wanted = flowCapacity == 0 ? 0 : flowCapacity + prefetch(flowCapacity) - active;
        return Math.max(0, Math.min(wanted, (pinned > 0 ? pinned : MAX_AUTOMATIC) - held));
    }

    private int prefetch(int flowCapacity) {
        return ended.sum() < flowCapacity ? 0 : Math.max(1, flowCapacity / 8);
    }

    /** Reserves capacity for a message to be received, if there is any; for concurrent receivers. */
    public synchronized boolean tryReserve() {
        if (available() == 0) {
            return false;
        }
        reserved.incrementAndGet();
        return true;
    }

    /** Whether at most one message is in flight. */
    public void oneByOne(boolean on) {
        oneByOne = on;
    }

    /** No message came for a reservation. */
    public void cancelReservation() {
        reserved.decrementAndGet();
    }

    /** A message came for a reservation. */
    public void takeReserved() {
        take();
        reserved.decrementAndGet();
    }

    /** A message was received. */
    public void take() {
        int held = inFlight.incrementAndGet();
        if (held > peak.get()) {
            peak.accumulateAndGet(held, Math::max);
        }
    }

    /** A message is no longer in flight. */
    public void release() {
        ended.increment();
        inFlight.decrementAndGet();
    }

    /** A message waits for its next attempt, so that another may use its share of the flow meanwhile. */
    public void startWaiting() {
        waiting.incrementAndGet();
    }

    /** The wait of a message has ended. */
    public void stopWaiting() {
        waiting.decrementAndGet();
    }

    /** Waits while a message keeps its place, but not its share of the flow; false when a stop is asked before. */
    public boolean pause(SourceStop stop, long nanos) {
        startWaiting();
        try {
            return !stop.awaitStop(nanos);
        } finally {
            stopWaiting();
        }
    }

    /** A step of a message that may fail, such as recording its ending. */
    @FunctionalInterface
    public interface Step {
        void run() throws Exception;
    }

    /**
     * Repeats a step once a second until it succeeds; false when a stop is asked before.
     *
     * @param stop asked when the message is given back; read before each wait
     * @param what the message waits for, for the log
     */
    public boolean repeat(Supplier<SourceStop> stop, String what, Step step) {
        while (true) {
            try {
                step.run();
                return true;
            } catch (Throwable failed) { // also an Error: the message waits for it
                LOG.warn("{} failed, and is tried again: {}", what, failed.toString());
            }
            if (!pause(stop.get(), REPEAT_NANOS)) {
                return false;
            }
        }
    }

    /** The number of messages in flight. */
    public int inFlight() {
        return inFlight.get();
    }

    /** The maximum number in flight so far. */
    public int inFlightMax() {
        return peak.get();
    }

    /** The maximum in flight, with its reason. */
    public LiveSetting.Now setting() {
        if (pinned > 0) {
            return new LiveSetting.Now(Integer.toString(pinned), "1.." + MAX_AUTOMATIC, "configured", true);
        }
        int flowCapacity = capacity.getAsInt();
        if (flowCapacity == Integer.MAX_VALUE) {
            return new LiveSetting.Now(
                    Integer.toString(WITHOUT_LIMIT),
                    "1.." + MAX_AUTOMATIC,
                    "the flow has no limit; if it gets one, this follows it",
                    false);
        }
        return new LiveSetting.Now(
                Integer.toString(Math.min(MAX_AUTOMATIC, flowCapacity + prefetch(flowCapacity))),
                "1.." + MAX_AUTOMATIC,
                "the flow processes " + flowCapacity + " at the same time; "
                        + (prefetch(flowCapacity) == 0
                                ? "more are prefetched when as many have ended"
                                : "an eighth more is prefetched"),
                false);
    }
}
