package dev.penstock.gateway.jdbc;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.Quoted;
import dev.penstock.gateway.config.SettleConfig;
import dev.penstock.jdbc.JdbcBatch;
import dev.penstock.jdbc.JdbcLookup;
import dev.penstock.jdbc.JdbcTarget;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.guard.GuardedDataSourceBuilder;
import java.time.Duration;
import java.util.function.Consumer;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;

/** Checks settings that do not fit a database target or its statement. */
final class JdbcCrossFieldChecks {
    private final ConfigProblems problems;

    JdbcCrossFieldChecks(ConfigProblems problems) {
        this.problems = problems;
    }

    void within(FlowConfig flow, JdbcTo to) {
        SettleConfig settle = flow.settle();
        if (settle != null) {
            problems.add(
                    settle.location(),
                    "'settle' queries over HTTP, but flow '" + flow.name()
                            + "' has a database target; remove it, or retry with a key for which the statement takes effect once");
        }
        pool(to.pool());
        try {
            statement(to, flow.collapse() instanceof JdbcCollapse collapse ? collapse : null, flow.dedupe());
        } catch (IllegalArgumentException wrong) {
            problems.add(to.statement().location(), "'to.jdbc.statement': " + wrong.getMessage());
        }
    }

    /** Analyses the statement with a target that never opens a connection. */
    private void statement(JdbcTo to, @Nullable JdbcCollapse collapse, @Nullable DedupeConfig dedupe) {
        JdbcTarget target = JdbcTarget.on(new JdbcDataSource())
                .statement(to.statement().value())
                .build();
        try (target) {
            to.parameters().forEach((name, from) -> {
                if (!target.parameters().contains(name)) {
                    problems.add(
                            from.location(),
                            "the statement has no parameter '" + Quoted.plain(name) + "'; it has "
                                    + String.join(", ", target.parameters()));
                }
            });
            if (dedupe != null && target.isReading()) {
                problems.add(dedupe.location(), "'dedupe' is for statements that write, and this one reads; remove it");
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
            problems.add(key.location(), "'collapse.key' keeps writes in order, but this statement reads; remove it");
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
            problems.add(collapse.location(), "'collapse' does not fit the statement: " + wrong.getMessage());
        }
    }

    private void pool(PoolConfig pool) {
        GuardedDataSourceBuilder trial = GuardedDataSource.over(new JdbcDataSource(), "trial");
        fits("max", pool.max(), trial::max);
        fits("wait", pool.waiting(), trial::borrowTimeout);
        fits("idle", pool.idle(), trial::idleKill);
        fits("max_age", pool.maxAge(), trial::maxAge);
        fits("connect_timeout", pool.connectTimeout(), trial::connectTimeout);
        onlyHttp("sweep", pool.sweep());
        onlyHttp("validate_after", pool.validateAfter());
    }

    private <T> void fits(String key, @Nullable Configured<T> given, Consumer<T> to) {
        if (given != null) {
            try {
                to.accept(given.value());
            } catch (IllegalArgumentException wrong) {
                problems.add(given.location(), "'pool." + key + "' is not valid for a database: " + wrong.getMessage());
            }
        }
    }

    private void onlyHttp(String key, @Nullable Configured<Duration> given) {
        if (given != null) {
            problems.add(
                    given.location(),
                    "'pool." + key
                            + "' only applies to HTTP connections; for a database it is determined automatically, so remove it");
        }
    }
}
