package dev.penstock.gateway.jdbc;

import static dev.penstock.gateway.config.Configured.given;

import dev.penstock.Collapse;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.StateFile;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.RetryConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.PoolConfig;
import dev.penstock.gateway.config.TelemetryConfig;
import dev.penstock.gateway.jdbc.JdbcTo.Parameter;
import dev.penstock.jdbc.JdbcAnswer;
import dev.penstock.jdbc.JdbcBatch;
import dev.penstock.jdbc.JdbcLookup;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.jdbc.JdbcTarget;
import dev.penstock.jdbc.JdbcTargetBuilder;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.guard.GuardedDataSourceBuilder;
import dev.penstock.state.PrivateFiles;
import dev.penstock.text.Durations;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds the JDBC target of a flow and its batches. */
final class JdbcSetup {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcSetup.class);

    private JdbcSetup() {}

    /** A target whose data source may open connections immediately. */
    static JdbcTarget target(FlowConfig config, JdbcTo to, Path state, StateFile learned) {
        GuardedDataSourceBuilder source = source(to, url(config, to, state));
        PoolConfig pool = to.pool();
        given(pool.max(), source::max);
        given(pool.waiting(), source::borrowTimeout);
        given(pool.idle(), source::idleKill);
        given(pool.maxAge(), source::maxAge);
        source.state(learned);
        return target(to, source.build());
    }

    private static GuardedDataSourceBuilder source(JdbcTo to, String url) {
        GuardedDataSourceBuilder source = GuardedDataSource.at(url);
        given(to.user(), source::user);
        given(to.password(), source::password);
        given(to.pool().connectTimeout(), source::connectTimeout);
        return source;
    }

    /** Asks whether a database answers. */
    static void ask(JdbcTo to, ConfigProblems problems) {
        if (to.url().value().equals(JdbcTo.EMBEDDED)) {
            return;
        }
        try (GuardedDataSource source = source(to, to.url().value()).max(1).build();
                Connection _ = source.getConnection()) {
            LOG.debug("{} answers", to.where());
        } catch (SQLException cannot) {
            problems.add(
                    to.url().location(),
                    "no connection to " + to.where() + ": " + cannot.getMessage() + "; check url, user and password");
        }
    }

    /** A target for a plan, which opens no connection. */
    static JdbcTarget plan(JdbcTo to) {
        return target(to, new JdbcDataSource());
    }

    private static JdbcTarget target(JdbcTo to, DataSource source) {
        JdbcTargetBuilder target = JdbcTarget.on(source)
                .closesDataSource()
                .where(to.where())
                .statement(to.statement().value())
                .reads(to.reads().value());
        given(to.pool().responseTimeout(), target::timeout);
        given(to.pool().maxAnswer(), bytes -> target.maxBytes(bytes));
        return target.build();
    }

    /** The embedded database is beside the state file; each flow has its own. */
    private static String url(FlowConfig config, JdbcTo to, Path state) {
        if (!to.url().value().equals(JdbcTo.EMBEDDED)) {
            return to.url().value();
        }
        String file = state.toAbsolutePath() + "-" + config.name();
        try {
            // H2 would give it the permissions of the umask.
            PrivateFiles.createFile(Path.of(file + ".mv.db"));
        } catch (IOException cannot) {
            LOG.warn("cannot create {}.mv.db: {}", file, cannot.toString());
        }
        // No trace file: it has statements, and the permissions of the umask.
        return "jdbc:h2:file:" + file + ";TRACE_LEVEL_FILE=0";
    }

    static Collapse<JdbcRequest, JdbcAnswer> collapse(JdbcCollapse config, JdbcTarget target) {
        Configured<String> lookup = config.lookup();
        if (lookup != null) {
            return config.bounded(JdbcLookup.over(target, lookup.value()).collapse());
        }
        Configured<String> key = config.key();
        JdbcBatch batches = JdbcBatch.over(target);
        return config.bounded((key == null ? batches : batches.key(key.value())).collapse());
    }

    /** The configured pool settings, for a plan. A running data source lists these and more. */
    static List<Setting> pool(JdbcTo to, Instant since) {
        PoolConfig pool = to.pool();
        List<Setting> all = new ArrayList<>();
        shown(
                "max",
                pool.max(),
                "1.." + GuardedDataSourceBuilder.MAX_CONNECTIONS,
                "the maximum number of connections",
                since,
                all);
        shown(
                "wait",
                pool.waiting(),
                GuardedDataSourceBuilder.BORROW_TIMES,
                "how long a call waits for a connection",
                since,
                all);
        shown(
                "idle",
                pool.idle(),
                GuardedDataSourceBuilder.IDLE_TIMES,
                "the idle time after which the network drops a connection",
                since,
                all);
        shown("max_age", pool.maxAge(), GuardedDataSourceBuilder.AGES, "the maximum age of a connection", since, all);
        shown(
                "connect_timeout",
                pool.connectTimeout(),
                GuardedDataSourceBuilder.CONNECT_TIMES,
                "how long connecting may take",
                since,
                all);
        return all;
    }

    private static void shown(
            String key, @Nullable Configured<?> given, String range, String reason, Instant since, List<Setting> all) {
        Object value = given == null ? "auto" : given.value();
        all.add(new Setting(
                "pool." + key,
                value instanceof Duration time ? Durations.format(time) : value.toString(),
                range,
                reason,
                since,
                given == null ? Origin.DEFAULT : Origin.FILE));
    }

    /** Converts a request to parameter values. */
    static ParameterReader reader(FlowConfig config, JdbcTo to, JdbcTarget target, GatewayConfig gateway) {
        Map<String, Parameter> given = new LinkedHashMap<>();
        to.parameters().forEach((name, from) -> given.put(name, from.value()));
        return new ParameterReader(target.parameters(), given, stageHeaders(config, gateway));
    }

    /** The headers that stages and traces read. */
    private static List<String> stageHeaders(FlowConfig config, GatewayConfig gateway) {
        RetryConfig retry = config.retry();
        DedupeConfig dedupe = config.dedupe() == null ? null : config.dedupe().per(gateway.callerHeaders(config));
        Stream<String> ofDedupe = dedupe == null ? Stream.of() : dedupe.headers().stream();
        Configured<String> key = retry == null ? null : retry.key();
        Stream<String> ofOthers = Stream.of(key == null ? null : key.value(), config.priorityHeader())
                .filter(Objects::nonNull);
        Stream<String> ofTraces = gateway.telemetry() == null ? Stream.of() : TelemetryConfig.FIELDS.stream();
        return Stream.of(ofOthers, ofDedupe, ofTraces)
                .flatMap(names -> names)
                .distinct()
                .toList();
    }
}
