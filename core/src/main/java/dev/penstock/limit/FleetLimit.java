package dev.penstock.limit;

import dev.penstock.Ticker;
import dev.penstock.fleet.Fleet;
import dev.penstock.fleet.FleetShare;
import dev.penstock.fleet.FleetStore;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * This process's share of the permits, or of the rate, of a fleet. It may always have one call in flight, so the total of permits
 * should not be below the number of members. Thread-safe.
 */
public final class FleetLimit implements LimitController {
    /** The units of a rate, for each call per second. */
    public static final int RATE_UNITS = 1_000;

    private volatile @Nullable FleetShare share;

    private FleetLimit() {}

    /** The permits of this process, and its share. */
    public record Shared(SharedLimit limit, FleetShare share) {}

    /** Joins a fleet that shares permits. */
    public static Shared of(Fleet fleet, FleetStore store, Ticker ticker) {
        FleetLimit controller = new FleetLimit();
        SharedLimit limit = new SharedLimit(controller, 1, FixedLimit.MOST, null, true);
        Permits permits = limit.permits;
        LongSupplier demand = new Demand(limit, fleet, permits::out, ticker);
        FleetShare share = new FleetShare(fleet, demand, permits::out, store, ticker, known -> {
            controller.share = known;
            permits.grantWaiting(ticker.nanos());
        });
        return new Shared(limit, share);
    }

    /** Joins a fleet that shares the rate of the calls of a limit, in {@link #RATE_UNITS}. */
    public static FleetShare rate(Fleet fleet, SharedLimit limit, FleetStore store, Ticker ticker) {
        return new FleetShare(
                fleet,
                new Demand(limit, fleet, new CallRate(limit, ticker), ticker),
                () -> 0,
                store,
                ticker,
                share -> limit.fleetRate((double) share.share() / RATE_UNITS, share.reason(), ticker.nanos()));
    }

    /**
     * What a process wants: all while any request waits or has found no permit since the last time, since one that is rejected does
     * not wait; else what it uses. Division by max-min fairness takes nothing from those that want less than their part.
     */
    private static final class Demand implements LongSupplier {
        private final SharedLimit limit;
        private final long total;
        private final LongSupplier used;
        private final Ticker ticker;
        private long blocked;

        Demand(SharedLimit limit, Fleet fleet, LongSupplier used, Ticker ticker) {
            this.limit = limit;
            this.total = fleet.total();
            this.used = used;
            this.ticker = ticker;
        }

        @Override
        public long getAsLong() {
            long before = blocked;
            blocked = limit.blockedCount();
            long uses = used.getAsLong();
            return blocked > before || limit.hasWaiters(ticker.nanos()) ? total : uses;
        }
    }

    /** The rate of calls since the last time, and half as much more. */
    private static final class CallRate implements LongSupplier {
        private static final double MORE = 1.5;

        private final SharedLimit limit;
        private final Ticker ticker;
        private long calls;
        private long at;

        CallRate(SharedLimit limit, Ticker ticker) {
            this.limit = limit;
            this.ticker = ticker;
            this.at = ticker.nanos();
        }

        @Override
        public long getAsLong() {
            long before = calls;
            double seconds = Math.max(1, ticker.nanos() - at) / 1e9;
            calls = limit.paced();
            at = ticker.nanos();
            return (long) (MORE * RATE_UNITS * (calls - before) / seconds);
        }
    }

    @Override
    public int permits() {
        FleetShare known = share;
        return known == null ? 1 : Math.clamp(known.share(), 1, FixedLimit.MOST);
    }

    @Override
    public String reason() {
        FleetShare known = share;
        return known == null ? "until the first meeting of the fleet" : known.reason();
    }

    @Override
    public LimitingFactor limitingFactor() {
        return LimitingFactor.UPPER_BOUND;
    }
}
