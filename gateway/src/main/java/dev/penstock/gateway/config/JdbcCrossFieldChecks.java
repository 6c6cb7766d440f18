package dev.penstock.gateway.config;

import dev.penstock.jdbc.JdbcBatch;
import dev.penstock.jdbc.JdbcLookup;
import dev.penstock.jdbc.JdbcTarget;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.guard.GuardedDataSourceBuilder;
import java.time.Duration;
import java.util.function.Consumer;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;

/** Finds what does not go with a database, or not with its statement. */
final class JdbcCrossFieldChecks {
    private final ConfigProblems problems;

    JdbcCrossFieldChecks(ConfigProblems problems) {
        this.problems = problems;
    }

    void within(FlowConfig flow, JdbcTo to) {
        SettleConfig settle = flow.settle();
        if (settle != null) {
            problems.add(
                    settle.place(),
                    "'settle' asks over HTTP, and flow '" + flow.name()
                            + "' goes to a database; leave it out, or repeat by a key that the statement takes once");
        }
        pool(to.pool());
        try {
            statement(to, flow.collapse() instanceof JdbcCollapse collapse ? collapse : null, flow.dedupe());
        } catch (IllegalArgumentException wrong) {
            problems.add(to.statement().place(), "'to.jdbc.statement': " + wrong.getMessage());
        }
    }

    /** A target that is never asked for a connection tells what the statement is like. */
    private void statement(JdbcTo to, @Nullable JdbcCollapse collapse, @Nullable DedupeConfig dedupe) {
        JdbcTarget target = JdbcTarget.on(new JdbcDataSource())
                .statement(to.statement().value())
                .build();
        try (target) {
            to.parameters().forEach((name, from) -> {
                if (!target.parameters().contains(name)) {
                    problems.add(
                            from.place(),
                            "the statement has no parameter '" + Quoted.plain(name) + "'; it has "
                                    + String.join(", ", target.parameters()));
                }
            });
            if (dedupe != null && target.isReading()) {
                problems.add(
                        dedupe.place(),
                        "'dedupe' is for what changes something, and the statement reads; leave it out");
            }
            if (collapse != null) {
                collapse(collapse, target);
            }
        }
    }

    private void collapse(JdbcCollapse collapse, JdbcTarget target) {
        Configured<String> key = collapse.key();
        Configured<String> lookup = collapse.lookup();
        if (key != null && (lookup != null || target.isReading())) {
            problems.add(key.place(), "'collapse.key' keeps writes in order, and the statement reads; leave it out");
            return;
        }
        try {
            if (lookup != null || target.isReading()) {
                JdbcLookup.over(target);
            } else if (key != null) {
                JdbcBatch.over(target).key(key.value());
            } else {
                JdbcBatch.over(target);
            }
        } catch (IllegalArgumentException wrong) {
            problems.add(collapse.place(), "'collapse' does not fit the statement: " + wrong.getMessage());
        }
    }

    private void pool(PoolConfig pool) {
        GuardedDataSourceBuilder trial = GuardedDataSource.over(new JdbcDataSource(), "trial");
        fits("max", pool.max(), trial::max);
        fits("wait", pool.waiting(), trial::borrowTimeout);
        fits("idle", pool.idle(), trial::idleKill);
        fits("max_age", pool.maxAge(), trial::maxAge);
        fits("connect_timeout", pool.connectTimeout(), trial::connectTimeout);
        ofHttp("sweep", pool.sweep());
        ofHttp("validate_after", pool.validateAfter());
    }

    private <T> void fits(String key, @Nullable Configured<T> given, Consumer<T> to) {
        if (given != null) {
            try {
                to.accept(given.value());
            } catch (IllegalArgumentException wrong) {
                problems.add(given.place(), "'pool." + key + "' does not suit a database: " + wrong.getMessage());
            }
        }
    }

    private void ofHttp(String key, @Nullable Configured<Duration> given) {
        if (given != null) {
            problems.add(
                    given.place(),
                    "'pool." + key + "' is of connections to HTTP; for a database it is found out, so leave it out");
        }
    }
}
