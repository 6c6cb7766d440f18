package dev.penstock.limit;

import dev.penstock.limit.LimitController.LimitingFactor;
import dev.penstock.limit.LimitController.Plateau;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The limit of one target, for one flow or for several that share its permits. Thread-safe. */
public final class SharedLimit {
    /**
     * Merges the samples of flows that share a target into consecutive samples without overlap: each begins where the last one
     * ended, and covers {@value LoadSamples#INTERVAL_NANOS} ns or more. The samples of a single flow pass unchanged.
     */
    static final class MergedSamples {
        private @Nullable LoadSample sum;

        /** Adds a sample of one flow, with the number of permits held by all flows; null while the interval is too short. */
        @Nullable
        LoadSample add(LoadSample part, int inFlight) {
            LoadSample before = sum == null ? LoadSample.emptyFrom(part.from()) : sum;
            LoadSample now = before.plus(part, inFlight);
            boolean complete = now.to() - now.from() >= LoadSamples.INTERVAL_NANOS;
            sum = complete ? LoadSample.emptyFrom(now.to()) : now;
            return complete ? now : null;
        }
    }

    final Permits permits;
    private final LimitController controller;
    private final int min;
    private final int max;
    private final @Nullable LearnedLimit learned;
    private final MergedSamples samples = new MergedSamples();
    private final AtomicInteger flows = new AtomicInteger();
    /** The pinned number of permits, whatever the controller decides; 0 when not pinned. */
    private volatile int pinned;
    /** The number of flows whose breaker is open. */
    private volatile int cutOff;

    /** The limit of one target. A pin must be between the bounds. */
    SharedLimit(LimitController controller, int min, int max, @Nullable LearnedLimit learned, boolean shared) {
        this.controller = controller;
        this.min = min;
        this.max = max;
        this.learned = learned;
        this.permits = new Permits(this::permits, shared);
    }

    /**
     * An adaptive limit with bounds. It starts at {@value AdaptiveLimit#INITIAL}, at the nearest bound, or at the value that an
     * earlier process learned. Calls should take at most half of the deadline; zero means none. Throws an {@link
     * IllegalArgumentException} unless 1 <= min <= max <= 1,000,000.
     */
    public static SharedLimit adaptive(
            int min, int max, Duration deadline, @Nullable LearnedLimit learned, boolean shared) {
        int start = learned == null ? 0 : learned.permits();
        LimitController controller = start > 0
                ? AdaptiveLimit.restored(start, min, max, deadline)
                : new AdaptiveLimit(AdaptiveLimit.INITIAL, min, max, deadline);
        return new SharedLimit(controller, min, max, learned, shared);
    }

    /** A fixed limit; {@code shared} if several flows share it. */
    public static SharedLimit fixed(FixedLimit limit, boolean shared) {
        return new SharedLimit(limit, 1, FixedLimit.MOST, null, shared);
    }

    /** Adds a flow. */
    void addFlow() {
        flows.incrementAndGet();
    }

    /** Takes a sample of one flow into account. */
    synchronized void sample(LoadSample ofFlow) {
        LoadSample all = samples.add(ofFlow, permits.out());
        if (all == null || pinned > 0) {
            return;
        }
        controller.sample(all);
        if (learned != null) {
            learned.offer(controller.learned(), all.to());
        }
    }

    /** Requests find no permit free while no call ends. */
    synchronized void blocked(long now, long blocked) {
        if (pinned == 0 && !isCutOff()) {
            controller.blocked(now, blocked);
            permits.grantWaiting(now);
        }
    }

    /** Stores the learned limit for the next process. */
    public void keepLearned() {
        if (learned != null) {
            learned.keep(controller.learned());
        }
    }

    /**
     * Pins the number of permits. Additional permits go to waiting requests at once; surplus permits are withdrawn as they
     * are released. Throws an {@link IllegalArgumentException} when out of bounds; nothing has changed then.
     */
    public synchronized void pin(int wanted, long now) {
        if (wanted < min || wanted > max) {
            throw new IllegalArgumentException("this limit must be %d to %d, not %d".formatted(min, max, wanted));
        }
        pinned = wanted;
        permits.grantWaiting(now);
    }

    /** Unpins the number of permits: it adapts again, or returns to its configured value. Does nothing when not pinned. */
    public synchronized void unpin(long now) {
        int from = pinned;
        if (from > 0) {
            String why = "starting from the pinned %d, until throughput has been measured".formatted(from);
            controller.restart(from, now, why);
            pinned = 0;
            permits.grantWaiting(now);
        }
    }

    /** The breaker of a flow has opened: its samples do not show the capacity of the target, until it has closed. */
    synchronized void cutOff() {
        cutOff++;
    }

    /**
     * The breaker of a flow has closed. If those of all flows were open, the limit restarts with half of its permits: a
     * recovering target has caches to fill and other clients to serve.
     */
    synchronized void resumed(long now) {
        if (isCutOff() && pinned == 0) {
            int half = Math.max(min, controller.permits() / 2);
            controller.restart(half, now, "half of the limit before the breaker opened");
        }
        cutOff--;
    }

    private boolean isCutOff() {
        return cutOff > 0 && cutOff == flows.get();
    }

    /** The number of permits, for all flows that share them. */
    public int permits() {
        int by = pinned;
        return by > 0 ? by : controller.permits();
    }

    /** The reason for the number of permits. */
    public String reason() {
        int among = flows.get();
        String why = isCutOff() && !isFixed() ? "unchanged while the breaker is open" : controller.reason();
        return among > 1 ? "shared by %d flows: %s".formatted(among, why) : why;
    }

    /** What keeps the limit from growing. */
    public LimitingFactor limitingFactor() {
        return pinned > 0 ? LimitingFactor.PINNED : controller.limitingFactor();
    }

    /** The range in which more in flight gave no more answers; null when none was seen. */
    public @Nullable Plateau plateau() {
        return controller.plateau();
    }

    /** The allowed values. */
    public String range() {
        return min + ".." + max;
    }

    /** Whether the limit is fixed. */
    public boolean isFixed() {
        return controller instanceof FixedLimit;
    }

    /** Whether the number of permits that an earlier process learned is known. */
    public boolean isRestored() {
        return learned != null && learned.permits() > 0;
    }
}
