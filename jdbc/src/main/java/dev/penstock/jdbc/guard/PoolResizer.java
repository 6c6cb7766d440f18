package dev.penstock.jdbc.guard;

import com.zaxxer.hikari.HikariConfig;

/**
 * Measures what was wanted once a window, and tells HikariCP how many connections that takes.
 *
 * <h2>Design note</h2>
 *
 * <p>HikariCP opens a connection as soon as somebody waits. To fork a process for a burst that is over before it is ready makes
 * the burst slower. So as a rule no more may be opened than are worth keeping warm; who has waited for as long as an opening
 * takes lets all be opened that are allowed, for a while. So nobody waits more than twice as long as he would have to, had he
 * known how long the line is (the ski-rental problem: R. Karp, On-Line Algorithms Versus Off-Line Algorithms, 1992).
 *
 * <p>The windows are for the caretaker's thread; {@link #patience} and {@link #widen} for all.
 */
final class PoolResizer implements HouseKeeper.Shape {
    /** For how long all may be opened, after the last one who had waited too long; nanoseconds. */
    private static final long WIDE = 5_000_000_000L;

    private static final long LEAST_PATIENCE = 1_000_000L;

    /** Before any opening was measured, nanoseconds. */
    private static final long PATIENCE_AT_FIRST = 10_000_000L;

    private final PoolSizing shape;
    private final Demand demand;
    private final PoolContext guard;
    private final HikariConfig config;
    private final DataSourceSettings settings;
    private volatile int allowed;
    private volatile boolean wide;
    private volatile long widenedAt;
    private long next;

    PoolResizer(PoolSizing shape, Demand demand, PoolContext guard, HikariConfig config, DataSourceSettings settings) {
        this.shape = shape;
        this.demand = demand;
        this.guard = guard;
        this.config = config;
        this.settings = settings;
        this.allowed = shape.max();
        this.next = guard.now() + PoolSizing.WINDOW;
        narrow();
    }

    /** How long to wait for a connection before more are opened, nanoseconds; for ever when all may be opened anyway. */
    long patience() {
        if (wide) {
            return Long.MAX_VALUE;
        }
        long connect = guard.connectTime();
        return connect == 0 ? PATIENCE_AT_FIRST : Math.max(LEAST_PATIENCE, connect);
    }

    /** Somebody has waited for too long: all may be opened that are allowed. */
    void widen() {
        widenedAt = guard.now();
        wide = true;
        config.setMaximumPoolSize(allowed);
    }

    private void narrow() {
        wide = false;
        int most = Math.max(1, shape.warm());
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
            GuardReport report = guard.report();
            long keep = guard.learned().withAge(IdleTimeoutEstimator::keepAliveAt);
            long restFor = keep == Long.MAX_VALUE ? HousekeepingPlan.UNUSED : PoolSizing.REST * keep;
            shape.window(demand.window(now, report.leased(), guard.connectTime()), demand.resting(now), restFor);
            allowed = shape.max();
            if (wide && (report.waiting() > 0 || now - widenedAt < WIDE)) {
                config.setMaximumPoolSize(allowed);
            } else {
                narrow();
            }
            config.setMinimumIdle(shape.warm());
            settings.shape(shape);
        }
        return shape.warm();
    }
}
