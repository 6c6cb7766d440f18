package dev.penstock.flow;

import dev.penstock.LiveSetting;
import dev.penstock.StateFile;
import dev.penstock.limit.AdaptiveLimit;
import dev.penstock.limit.FixedLimit;
import dev.penstock.limit.LearnedLimit;
import dev.penstock.limit.SharedLimit;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits concurrent calls to one target over all flows that call it, and divides the permits fairly. Pass the same object to
 * the builder of each flow ({@link FlowBuilder#sharedConcurrency(TargetLimit)}).
 *
 * <p>Flows that have enough requests get equal shares of the permits; a flow that needs less than its share gets all that it
 * needs, and a flow without requests takes nothing from the others. Each flow keeps a queue, a deadline, a breaker and
 * counters of its own. A flow without a queue (length 0) only gets permits that are free when it calls, so it gets few beside
 * a flow with a queue.
 *
 * <p>Thread-safe.
 */
public final class TargetLimit {
    /** The default upper bound of an adaptive limit: {@value}. */
    public static final int MOST = 50_000;

    private final SharedLimit limit;
    private @Nullable LiveSetting setting;

    private TargetLimit(SharedLimit limit) {
        this.limit = limit;
    }

    /** {@return an adaptive limit between 1 and {@value #MOST} that starts at {@value AdaptiveLimit#INITIAL}} */
    public static TargetLimit adaptive() {
        return adaptive(1, MOST, Duration.ZERO);
    }

    /**
     * {@return an adaptive limit with bounds} It starts at {@value AdaptiveLimit#INITIAL}, or at the nearest bound.
     *
     * @param min the lower bound; 1 or more
     * @param max the upper bound; {@code min} to 1,000,000
     * @param deadline the longest deadline of its flows; calls should take at most half of it. Zero for none
     * @throws IllegalArgumentException when out of range
     */
    public static TargetLimit adaptive(int min, int max, Duration deadline) {
        return new TargetLimit(SharedLimit.adaptive(min, max, deadline, null, true));
    }

    /**
     * {@return an adaptive limit with bounds that starts at the value that an earlier process learned}
     *
     * @param min the lower bound; 1 or more
     * @param max the upper bound; {@code min} to 1,000,000
     * @param deadline the longest deadline of its flows; calls should take at most half of it. Zero for none
     * @param file stores the learned limit for the next process
     * @param name under which it is stored: a name as {@link StateFile#name} returns it
     * @throws IllegalArgumentException when out of range
     */
    public static TargetLimit adaptive(int min, int max, Duration deadline, StateFile file, String name) {
        return new TargetLimit(SharedLimit.adaptive(min, max, deadline, learned(file, name), true));
    }

    /**
     * {@return a fixed limit}
     *
     * @param permits the maximum number of concurrent calls; 1 to 1,000,000
     * @throws IllegalArgumentException when out of range
     */
    public static TargetLimit fixed(int permits) {
        return new TargetLimit(SharedLimit.fixed(new FixedLimit(permits, "given"), true));
    }

    static LearnedLimit learned(StateFile file, String name) {
        return new LearnedLimit(file.value(name), permits -> file.keep(name, permits));
    }

    SharedLimit limit() {
        return limit;
    }

    /** The setting that all flows show, so that a pin in one flow is visible in all. It is made once. */
    synchronized LiveSetting setting(Supplier<LiveSetting> made) {
        LiveSetting known = setting == null ? made.get() : setting;
        setting = known;
        return known;
    }
}
