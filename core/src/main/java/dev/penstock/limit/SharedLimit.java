package dev.penstock.limit;

import dev.penstock.LiveSetting;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The limit of one target, for one flow or for several that share its permits. Thread-safe. */
public final class SharedLimit {
    /** The default upper bound of an adaptive limit: {@value}. */
    public static final int MOST = 50_000;

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

    private final LimitController controller;
    private final String range;
    private final boolean restored;
    private final @Nullable LearnedLimit learned;
    private final Permits permits;
    private final MergedSamples samples = new MergedSamples();
    private @Nullable LiveSetting setting;
    private final AtomicInteger flows = new AtomicInteger();
    private int cutOff;

    SharedLimit(LimitController controller, String range, @Nullable LearnedLimit learned, boolean shared) {
        this.controller = controller;
        this.range = range;
        this.restored = learned != null && learned.permits() > 0;
        this.learned = learned;
        this.permits = new Permits(controller::permits, shared);
    }

    /**
     * The limit of one flow.
     *
     * @param controller decides the number of permits
     * @param learned stores the learned limit for the next process; null for none
     */
    public static SharedLimit ofOneFlow(LimitController controller, @Nullable LearnedLimit learned) {
        return new SharedLimit(controller, "", learned, false);
    }

    /** An adaptive limit between 1 and {@value #MOST} that starts at {@value AdaptiveLimit#INITIAL}. */
    public static SharedLimit adaptive() {
        return adaptive(1, MOST, Duration.ZERO, null);
    }

    /**
     * An adaptive limit with bounds. It starts at {@value AdaptiveLimit#INITIAL}, at the nearest bound, or at the value that an
     * earlier process learned.
     *
     * @param min the lower bound; 1 or more
     * @param max the upper bound; {@code min} to 1,000,000
     * @param deadline the longest deadline of its flows; calls should take at most half of it. Zero for none
     * @param learned stores the learned limit for the next process; null for none
     * @throws IllegalArgumentException when out of range
     */
    public static SharedLimit adaptive(int min, int max, Duration deadline, @Nullable LearnedLimit learned) {
        int start = learned == null ? 0 : learned.permits();
        LimitController controller = start > 0
                ? AdaptiveLimit.restored(start, min, max, deadline)
                : new AdaptiveLimit(AdaptiveLimit.INITIAL, min, max, deadline);
        return new SharedLimit(controller, min + ".." + max, learned, true);
    }

    /**
     * A fixed limit.
     *
     * @param permits the maximum number of concurrent calls; 1 to 1,000,000
     * @throws IllegalArgumentException when out of range
     */
    public static SharedLimit fixed(int permits) {
        return new SharedLimit(new FixedLimit(permits, "given"), "1.." + FixedLimit.MOST, null, true);
    }

    Permits permits() {
        return permits;
    }

    LimitController controller() {
        return controller;
    }

    /** Adds a flow. */
    void addFlow() {
        flows.incrementAndGet();
    }

    /** Takes a sample of one flow into account. */
    void sample(LoadSample ofFlow) {
        if (passOn(ofFlow) && learned != null) {
            learned.offer(controller.learned(), ofFlow.to());
        }
    }

    private synchronized boolean passOn(LoadSample ofFlow) {
        LoadSample all = samples.add(ofFlow, permits.out());
        if (all != null) {
            controller.sample(all);
        }
        return all != null;
    }

    /** Requests find no permit free while no call ends. Returns whether there are more permits now. */
    synchronized boolean blocked(long now, long blocked) {
        int before = controller.permits();
        controller.blocked(now, blocked);
        return controller.permits() > before;
    }

    /** Stores the learned limit for the next process. */
    void keepLearned() {
        if (learned != null) {
            learned.keep(controller.learned());
        }
    }

    synchronized void pin(int wanted) {
        controller.pin(wanted);
    }

    synchronized void unpin(long now) {
        controller.unpin(now);
    }

    /** The breaker of a flow has opened. The controller is notified when the breakers of all flows are open. */
    synchronized void cutOff(long now) {
        cutOff++;
        if (cutOff == flows.get()) {
            controller.cutOff(now);
        }
    }

    /** The breaker of a flow has closed. */
    synchronized void resumed(long now) {
        if (cutOff == flows.get()) {
            controller.resumed(now);
        }
        cutOff--;
    }

    String reason() {
        int among = flows.get();
        return among > 1 ? "shared by %d flows: %s".formatted(among, controller.reason()) : controller.reason();
    }

    /** The allowed values. */
    public String range() {
        return range;
    }

    /** Whether the limit is fixed. */
    public boolean isFixed() {
        return controller instanceof FixedLimit;
    }

    /** Whether it started at a value that an earlier process learned. */
    public boolean isRestored() {
        return restored;
    }

    /**
     * The setting that all flows show, so that a pin in one flow is visible in all.
     *
     * @param made creates it; called once
     */
    public synchronized LiveSetting setting(Supplier<LiveSetting> made) {
        LiveSetting known = setting == null ? made.get() : setting;
        setting = known;
        return known;
    }
}
