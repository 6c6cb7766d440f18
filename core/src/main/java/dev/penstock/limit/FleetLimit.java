package dev.penstock.limit;

import dev.penstock.Ticker;
import dev.penstock.fleet.Fleet;
import dev.penstock.fleet.FleetShare;
import dev.penstock.fleet.FleetShare.Demand;
import dev.penstock.fleet.FleetStore;
import java.util.function.Supplier;
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
        FleetShare share = new FleetShare(fleet, new PermitDemand(limit), permits::out, store, ticker, known -> {
            controller.share = known;
            permits.grantWaiting(ticker.nanos());
        });
        return new Shared(limit, share);
    }

    /** Joins a fleet that shares the rate of the calls of a limit, in {@link #RATE_UNITS}. */
    public static FleetShare rate(Fleet fleet, SharedLimit limit, FleetStore store, Ticker ticker) {
        return new FleetShare(
                fleet,
                new RateDemand(limit, ticker),
                () -> 0,
                store,
                ticker,
                share -> limit.fleetRate((double) share.share() / RATE_UNITS, share.reason(), ticker.nanos()));
    }

    /** The permits that were used or waited for. */
    private static final class PermitDemand implements Supplier<Demand> {
        private final SharedLimit limit;
        private long blocked;

        PermitDemand(SharedLimit limit) {
            this.limit = limit;
        }

        @Override
        public Demand get() {
            Permits permits = limit.permits;
            long before = blocked;
            blocked = limit.blockedCount();
            // Without a queue none wait, and many are rejected.
            return new Demand(permits.takePeak(), permits.hasWaiters() || blocked - before > permits.out());
        }
    }

    /** The rate of calls since the last time, with those that wait for their slots, and half as much more. */
    private static final class RateDemand implements Supplier<Demand> {
        private static final double MORE = 1.5;

        private final SharedLimit limit;
        private final Ticker ticker;
        private long calls;
        private long at;

        RateDemand(SharedLimit limit, Ticker ticker) {
            this.limit = limit;
            this.ticker = ticker;
            this.at = ticker.nanos();
        }

        @Override
        public Demand get() {
            long before = calls;
            long now = ticker.nanos();
            double seconds = Math.max(1, now - at) / 1e9;
            double waiting = limit.waitingForRate(now);
            calls = limit.paced();
            at = now;
            return new Demand((long) (MORE * RATE_UNITS * (calls - before + waiting) / seconds), waiting > 1);
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
