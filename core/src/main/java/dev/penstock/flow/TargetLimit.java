package dev.penstock.flow;

import dev.penstock.LiveSetting;
import dev.penstock.StateFile;
import dev.penstock.Ticker;
import dev.penstock.fleet.Fleet;
import dev.penstock.fleet.FleetShare;
import dev.penstock.fleet.FleetStore;
import dev.penstock.limit.AdaptiveLimit;
import dev.penstock.limit.FixedLimit;
import dev.penstock.limit.FleetLimit;
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

    /** The units of a {@linkplain #rate rate} that is shared, for each call per second. */
    public static final int RATE_UNITS = FleetLimit.RATE_UNITS;

    private final SharedLimit limit;
    private final @Nullable FleetShare share;
    private @Nullable LiveSetting setting;

    private TargetLimit(SharedLimit limit, @Nullable FleetShare share) {
        this.limit = limit;
        this.share = share;
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
        return new TargetLimit(SharedLimit.adaptive(min, max, deadline, null, true), null);
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
        return new TargetLimit(SharedLimit.adaptive(min, max, deadline, learned(file, name), true), null);
    }

    /**
     * {@return a fixed limit}
     *
     * @param permits the maximum number of concurrent calls; 1 to 1,000,000
     * @throws IllegalArgumentException when out of range
     */
    public static TargetLimit fixed(int permits) {
        return new TargetLimit(SharedLimit.fixed(new FixedLimit(permits, "given"), true), null);
    }

    /**
     * {@return this process's share of a limit that many processes share} For the gateway, which closes its {@link #share} after the
     * flows.
     *
     * @param fleet what they share
     * @param store where they meet
     */
    @SuppressWarnings("exports") // to the gateway alone
    public static TargetLimit fleet(Fleet fleet, FleetStore store) {
        FleetLimit.Shared shared = FleetLimit.of(fleet, store, Ticker.SYSTEM);
        return new TargetLimit(shared.limit(), shared.share());
    }

    /**
     * Lets many processes share the rate of calls, in units of 1/{@value #RATE_UNITS} call per second.
     *
     * @param fleet what they share
     * @param store where they meet
     * @return this process's share; for the gateway, which closes it after the flows
     */
    @SuppressWarnings("exports") // to the gateway alone
    public FleetShare rate(Fleet fleet, FleetStore store) {
        return FleetLimit.rate(fleet, limit, store, Ticker.SYSTEM);
    }

    static LearnedLimit learned(StateFile file, String name) {
        return new LearnedLimit(file.value(name), permits -> file.keep(name, permits));
    }

    SharedLimit limit() {
        return limit;
    }

    /** {@return what this process has of the limit of a fleet; null without one} */
    @SuppressWarnings("exports") // to the gateway alone
    public @Nullable FleetShare share() {
        return share;
    }

    /** The setting that all flows show, so that a pin in one flow is visible in all. It is made once. */
    synchronized LiveSetting setting(Supplier<LiveSetting> made) {
        LiveSetting known = setting == null ? made.get() : setting;
        setting = known;
        return known;
    }
}
