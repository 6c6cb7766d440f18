package dev.penstock.jdbc.guard;

import com.zaxxer.hikari.HikariConfig;

/**
 * Measures the demand once a window, and sets HikariCP's pool sizes accordingly.
 *
 * <h2>Design note</h2>
 *
 * <p>HikariCP opens a connection as soon as a caller waits. Starting a server process for a burst that is over before
 * the process is ready makes the burst slower. Therefore the pool normally does not grow beyond the number worth
 * keeping warm. A caller that has waited for as long as opening a connection takes lifts the limit to the allowed
 * maximum for a while. So no caller waits more than twice as long as with perfect knowledge of the queue (the
 * ski-rental problem: R. Karp, On-Line Algorithms Versus Off-Line Algorithms, 1992).
 *
 * <p>The windows are for the housekeeper's thread; {@link #patience} and {@link #widen} are thread-safe.
 */
final class PoolResizer implements HouseKeeper.WarmTarget {
    /** How long the full maximum stays allowed after the last caller that waited too long, in nanoseconds. */
    private static final long WIDE = 5_000_000_000L;

    private static final long MIN_PATIENCE = 1_000_000L;

    /** The patience before any connect time was measured, in nanoseconds. */
    private static final long INITIAL_PATIENCE = 10_000_000L;

    private final PoolSizing sizing;
    private final Demand demand;
    private final PoolContext context;
    private final HikariConfig config;
    private final DataSourceSettings settings;
    private volatile int allowed;
    private volatile boolean wide;
    private volatile long widenedAt;
    private long next;

    PoolResizer(
            PoolSizing sizing, Demand demand, PoolContext context, HikariConfig config, DataSourceSettings settings) {
        this.sizing = sizing;
        this.demand = demand;
        this.context = context;
        this.config = config;
        this.settings = settings;
        this.allowed = sizing.max();
        this.next = context.now() + PoolSizing.WINDOW;
        narrow();
    }

    /**
     * How long to wait for a free connection before more are opened, in nanoseconds; {@link Long#MAX_VALUE} while the
     * full maximum is allowed.
     */
    long patience() {
        if (wide) {
            return Long.MAX_VALUE;
        }
        long connect = context.connectTime();
        return connect == 0 ? INITIAL_PATIENCE : Math.max(MIN_PATIENCE, connect);
    }

    /** A caller has waited for too long: allows the full maximum. */
    void widen() {
        widenedAt = context.now();
        wide = true;
        config.setMaximumPoolSize(allowed);
    }

    private void narrow() {
        wide = false;
        int most = Math.max(1, sizing.warm());
        if (most < allowed) {
            config.setMaximumPoolSize(most);
        } else {
            widen();
        }
    }

    @Override
    public int warm(long now) {
        if (now - next >= 0) {
            next = now + PoolSizing.WINDOW;
            GuardReport report = context.report();
            long keep = context.learned().withIdleTimeout(IdleTimeoutEstimator::keepAliveAt);
            long keepFor = keep == Long.MAX_VALUE ? HousekeepingPlan.UNUSED : PoolSizing.REST * keep;
            sizing.window(demand.window(now, report.leased(), context.connectTime()), demand.unwantedFor(now), keepFor);
            allowed = sizing.max();
            if (wide && (report.waiting() > 0 || now - widenedAt < WIDE)) {
                config.setMaximumPoolSize(allowed);
            } else {
                narrow();
            }
            config.setMinimumIdle(sizing.warm());
            settings.update(sizing);
        }
        return sizing.warm();
    }
}
