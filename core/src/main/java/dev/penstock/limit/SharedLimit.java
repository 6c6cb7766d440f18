package dev.penstock.limit;

import dev.penstock.LiveSetting;
import dev.penstock.limit.LimitController.LimitingFactor;
import dev.penstock.limit.LimitController.Plateau;
import dev.penstock.text.Ranges;
import dev.penstock.text.Rates;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The limit of one target, for one flow or for several that share its permits. Thread-safe. */
public final class SharedLimit {
    /** The lowest bound of the rate of calls per second. */
    public static final double LEAST_RATE = 0.1;

    /** The highest bound of the rate of calls per second. */
    public static final double MOST_RATE = 1_000_000;

    private static final long INTERVAL_NANOS = 1_000_000;

    final Permits permits;
    private final LimitController controller;
    private final int min;
    private final int max;
    private final @Nullable LearnedLimit learned;
    private final AtomicInteger flows = new AtomicInteger();
    /** Held by whoever changes something; a call that only looks does not wait for it. */
    private final ReentrantLock changing = new ReentrantLock();

    private volatile long nextUpdate;
    /** The pinned number of permits, whatever the controller decides; 0 when not pinned. */
    private volatile int pinned;
    /** The pinned rate of calls; not set when not pinned. */
    private final RateBound pinnedRate = new RateBound();
    /** This process's share of the rate of a fleet; not set without one. */
    private final RateBound fleetRate = new RateBound();

    private final LongAdder paced = new LongAdder();
    private final LongAdder blocked = new LongAdder();
    private volatile String fleetReason = "";
    /** The number of flows whose breaker is open. */
    private final AtomicInteger cutOff = new AtomicInteger();

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
     * IllegalArgumentException} unless {@code 1 <= min <= max <= 1,000,000}.
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
    void addFlow(long now) {
        if (flows.getAndIncrement() == 0) {
            nextUpdate = now;
        }
    }

    /** The turn of a call that begins now; null when nothing is learned from it. */
    @Nullable
    Turn turn(long now) {
        return pinned > 0 || isCutOff() ? null : controller.turn(now);
    }

    /** As {@link LimitController#pace}. */
    long pace(long now, long most) {
        RateBound given = pinnedRate.isSet() ? pinnedRate : fleetRate;
        if (given.isSet()) {
            paced.increment();
            return given.reserve(now, most);
        }
        return pinned > 0 ? 0 : controller.pace(now, most);
    }

    /** A call has ended, or a request found no permit free. */
    void update(long now) {
        if (now - nextUpdate < 0 || !changing.tryLock()) {
            return;
        }
        try {
            nextUpdate = now + INTERVAL_NANOS;
            if (pinned > 0 || isCutOff()) {
                return;
            }
            controller.update(now, permits.out());
            if (learned != null) {
                learned.offer(controller.learned(), now);
            }
        } finally {
            changing.unlock();
        }
        permits.grantWaiting(now);
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
    public void pin(int wanted, long now) {
        int _ = Ranges.within("this limit", wanted, min, max);
        change(() -> pinned = wanted);
        permits.grantWaiting(now);
    }

    /** Unpins the number of permits: it adapts again, or returns to its configured value. Does nothing when not pinned. */
    public void unpin(long now) {
        change(() -> {
            int from = pinned;
            if (from > 0) {
                String why = "starting from the pinned %d, until throughput has been measured".formatted(from);
                controller.restart(from, now, why);
                pinned = 0;
            }
        });
        permits.grantWaiting(now);
    }

    /** Pins the rate of calls per second; null unpins it. Throws an {@link IllegalArgumentException} when out of bounds. */
    public void pinRate(@Nullable Double perSecond, long now) {
        if (perSecond == null) {
            pinnedRate.clear();
        } else {
            checkRate(perSecond);
            pinnedRate.set(perSecond / 1e9, now);
        }
    }

    /** Sets the share of the rate of a fleet, which a pinned rate overrides. */
    void fleetRate(double perSecond, String reason, long now) {
        fleetReason = reason;
        fleetRate.change(Math.max(LEAST_RATE, perSecond) / 1e9, now);
    }

    /** How many calls have asked for a slot of a given rate, with or without success. */
    long paced() {
        return paced.sum();
    }

    /** A request found no permit free. */
    void blocked() {
        blocked.increment();
        permits.lacked();
    }

    /** How many requests have found no permit free. */
    long blockedCount() {
        return blocked.sum();
    }

    /** How many calls wait for their slots of the rate of a fleet. */
    double waitingForRate(long now) {
        return fleetRate.waiting(now);
    }

    /** Throws an {@link IllegalArgumentException} when a rate per second is out of bounds. */
    public static void checkRate(double perSecond) {
        if (!(perSecond >= LEAST_RATE && perSecond <= MOST_RATE)) {
            throw new IllegalArgumentException("a rate is %s to %s, not %s/s"
                    .formatted(Rates.format(LEAST_RATE), Rates.format(MOST_RATE), perSecond));
        }
    }

    /** How many calls may begin a second, and why. */
    public LiveSetting.Now rate() {
        boolean isPinned = pinnedRate.isSet();
        if (!isPinned && fleetRate.isSet()) {
            return new LiveSetting.Now(Rates.format(fleetRate.perSecond()), rates(), fleetReason, true);
        }
        double adaptive = pinned > 0 ? Double.POSITIVE_INFINITY : controller.callsPerSecond();
        double perSecond = isPinned ? pinnedRate.perSecond() : adaptive;
        boolean isBound = perSecond < Double.POSITIVE_INFINITY;
        String measured = isBound ? controller.reason() : "no refusals of the target depended on the rate of calls";
        return new LiveSetting.Now(
                isBound ? Rates.format(perSecond) : "none",
                rates(),
                isPinned ? "calls begin at evenly spaced times" : measured,
                isPinned);
    }

    private static String rates() {
        return Rates.format(LEAST_RATE) + ".." + Rates.format(MOST_RATE);
    }

    /** The breaker of a flow has opened: its calls do not show the capacity of the target, until it has closed. */
    void cutOff() {
        change(cutOff::incrementAndGet);
    }

    /**
     * The breaker of a flow has closed. If those of all flows were open, the limit restarts with half of its permits: a
     * recovering target has caches to fill and other clients to serve.
     */
    void resumed(long now) {
        change(() -> {
            if (isCutOff() && pinned == 0) {
                int half = Math.max(min, controller.permits() / 2);
                controller.restart(half, now, "half of the limit before the breaker opened");
            }
            cutOff.decrementAndGet();
        });
    }

    private void change(Runnable what) {
        changing.lock();
        try {
            what.run();
        } finally {
            changing.unlock();
        }
    }

    private boolean isCutOff() {
        int open = cutOff.get();
        return open > 0 && open == flows.get();
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
