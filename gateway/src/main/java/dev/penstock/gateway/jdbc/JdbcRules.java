package dev.penstock.gateway.jdbc;

import static dev.penstock.gateway.config.Rule.flowError;
import static dev.penstock.gateway.config.Rule.flowWarning;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.Quoted;
import dev.penstock.gateway.config.Rule;
import dev.penstock.jdbc.JdbcBatch;
import dev.penstock.jdbc.JdbcLookup;
import dev.penstock.jdbc.JdbcTarget;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.guard.GuardedDataSourceBuilder;
import java.util.List;
import java.util.function.Consumer;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;

/** What must hold between the keys of a database target, its statement, and others. */
final class JdbcRules {
    static final List<Rule<?>> ALL = List.of(
            flowError("a pool fits a database", "pool to.jdbc", JdbcRules::pool),
            flowError(
                    "parameters, dedupe and batches fit the statement",
                    "to.jdbc.statement to.jdbc.parameters dedupe collapse",
                    JdbcRules::statement),
            flowWarning("a query is declared to read or not", "to.jdbc.statement to.jdbc.reads", JdbcRules::query));

    private JdbcRules() {}

    private static void statement(FlowConfig flow, ConfigProblems problems) {
        if (flow.to() instanceof JdbcTo to) {
            try {
                analyse(flow, to, problems);
            } catch (IllegalArgumentException wrong) {
                problems.add(to.statement().location(), "'to.jdbc.statement': " + wrong.getMessage());
            }
        }
    }

    private static void query(FlowConfig flow, ConfigProblems problems) {
        if (flow.to() instanceof JdbcTo to
                && !to.reads().inFile()
                && to.statement().value().strip().regionMatches(true, 0, "select", 0, 6)) {
            problems.add(
                    to.statement().location(),
                    "'to.jdbc.statement' is treated as one that writes: only POST, and unknown when its connection is"
                            + " lost; add reads: true if it has no effect, else reads: false");
        }
    }

    /** Analyses the statement with a target that never opens a connection. */
    private static void analyse(FlowConfig flow, JdbcTo to, ConfigProblems problems) {
        JdbcTarget target = JdbcTarget.on(new JdbcDataSource())
                .statement(to.statement().value())
                .reads(to.reads().value())
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
            DedupeConfig dedupe = flow.dedupe();
            if (dedupe != null && target.isReading()) {
                problems.add(dedupe.location(), "'dedupe' is for statements that write, and this one reads; remove it");
            }
            if (flow.collapse() instanceof JdbcCollapse collapse) {
                collapse(collapse, target, problems);
            }
        }
    }

    private static void collapse(JdbcCollapse collapse, JdbcTarget target, ConfigProblems problems) {
        Configured<String> key = collapse.key();
        Configured<String> lookup = collapse.lookup();
        if (key != null && (lookup != null || target.isReading())) {
            problems.add(key.location(), "'collapse.key' keeps writes in order, but this statement reads; remove it");
            return;
        }
        try {
            if (lookup != null) {
                JdbcLookup.over(target, lookup.value());
            } else if (key != null) {
                JdbcBatch.over(target).key(key.value());
            } else {
                JdbcBatch.over(target);
            }
        } catch (IllegalArgumentException wrong) {
            problems.add(collapse.location(), "'collapse' does not fit the statement: " + wrong.getMessage());
        }
    }

    private static void pool(FlowConfig flow, ConfigProblems problems) {
        if (!(flow.to() instanceof JdbcTo)) {
            return;
        }
        PoolConfig pool = flow.to().pool();
        GuardedDataSourceBuilder trial = GuardedDataSource.over(new JdbcDataSource(), "trial");
        fits("max", pool.max(), trial::max, problems);
        fits("wait", pool.waiting(), trial::borrowTimeout, problems);
        fits("idle", pool.idle(), trial::idleKill, problems);
        fits("max_age", pool.maxAge(), trial::maxAge, problems);
        fits("connect_timeout", pool.connectTimeout(), trial::connectTimeout, problems);
    }

    private static <T> void fits(String key, @Nullable Configured<T> given, Consumer<T> to, ConfigProblems problems) {
        if (given != null) {
            try {
                to.accept(given.value());
            } catch (IllegalArgumentException wrong) {
                problems.add(given.location(), "'pool." + key + "' is not valid for a database: " + wrong.getMessage());
            }
        }
    }
}
