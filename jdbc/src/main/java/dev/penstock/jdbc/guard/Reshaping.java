package dev.penstock.jdbc.guard;

import com.zaxxer.hikari.HikariConfig;

/** Measures what was wanted once a window, and tells HikariCP how many connections that takes. For the caretaker's thread. */
final class Reshaping implements Caretaker.Shape {
    private final PoolShape shape;
    private final Demand demand;
    private final Guard guard;
    private final HikariConfig config;
    private final Settings settings;
    private long next;

    Reshaping(PoolShape shape, Demand demand, Guard guard, HikariConfig config, Settings settings) {
        this.shape = shape;
        this.demand = demand;
        this.guard = guard;
        this.config = config;
        this.settings = settings;
        this.next = guard.now() + PoolShape.WINDOW;
    }

    @Override
    public int warm(long now) {
        if (now - next >= 0) {
            next = now + PoolShape.WINDOW;
            GuardReport report = guard.report();
            long keep = guard.learned().withAge(KillAge::keepAliveAt);
            long restFor = keep == Long.MAX_VALUE ? CarePlan.UNUSED : PoolShape.REST * keep;
            shape.window(
                    demand.window(now, report.leased(), guard.connectTime() + Caretaker.PACE),
                    demand.resting(now),
                    restFor);
            config.setMaximumPoolSize(shape.max());
            config.setMinimumIdle(shape.warm());
            settings.shape(shape);
        }
        return shape.warm();
    }
}
