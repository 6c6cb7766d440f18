package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ticker;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.kit.MariaDb;
import dev.penstock.jdbc.kit.PgBouncer;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kit.program.NeedsProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Inserts through each path to a database, under each fault, and checks that every reported ending is true. {@code
 * -Dpenstock.matrix.inserts} sets the number of inserts of each cell; target/insert-matrix.md has the table.
 */
@Tag("full")
@Tag("full-only")
@Timeout(900)
@NeedsProgram({"mariadbd", "pgbouncer"})
class InsertMatrixRealClockTest {
    private static final int INSERTS = Integer.getInteger("penstock.matrix.inserts", 1_000);
    private static final int CALLERS = 100;
    private static final List<String> TABLE = new ArrayList<>();

    private static @Nullable RealPostgres postgres;
    private static @Nullable MariaDb mariaDb;

    enum Way {
        PGBOUNCER_SESSION,
        PGBOUNCER_TRANSACTION,
        DIRECT,
        MARIADB;

        boolean hasPooler() {
            return this == PGBOUNCER_SESSION || this == PGBOUNCER_TRANSACTION;
        }
    }

    enum Fault {
        NONE,
        KILL_POOLER,
        KILL_DATABASE,
        /** The primary is killed, and its synchronous standby promoted. */
        FAILOVER_SYNCHRONOUS,
        /** The same with an asynchronous standby: PostgreSQL itself may lose the last commits. */
        FAILOVER_ASYNCHRONOUS;

        boolean isFailover() {
            return this == FAILOVER_SYNCHRONOUS || this == FAILOVER_ASYNCHRONOUS;
        }

        boolean isPossibleWith(Way way) {
            return (this != KILL_POOLER || way.hasPooler()) && !(isFailover() && way == Way.MARIADB);
        }
    }

    /** All meaningful combinations. */
    static Stream<Cell> cells() {
        return Stream.of(Way.values())
                .flatMap(way -> Stream.of(true, false)
                        .flatMap(collapse -> Stream.of(Fault.values())
                                .filter(fault -> fault.isPossibleWith(way))
                                .map(fault -> new Cell(way, collapse, fault))));
    }

    record Cell(Way way, boolean collapse, Fault fault) {}

    @ParameterizedTest
    @MethodSource("cells")
    void everyReportedEndingIsTrue(Cell cell) throws Exception {
        if (cell.way == Way.MARIADB) {
            MariaDb database = mariaDb();
            run(cell, database::connect, database.url(), () -> {
                if (cell.fault == Fault.KILL_DATABASE) {
                    database.restart();
                }
            });
            return;
        }
        if (cell.fault.isFailover()) {
            failOver(cell);
            return;
        }
        RealPostgres database = postgres();
        if (!cell.way.hasPooler()) {
            run(cell, database::connect, database.url(), () -> strike(cell.fault, database, null));
            return;
        }
        try (PgBouncer pooler = pooler(cell, database)) {
            String url = database.urlThrough(pooler.address());
            run(cell, database::connect, url, () -> strike(cell.fault, database, pooler));
        }
    }

    private static PgBouncer pooler(Cell cell, RealPostgres database) {
        String mode = cell.way == Way.PGBOUNCER_SESSION ? "session" : "transaction";
        return PgBouncer.before(database.address(), mode, Map.of("server_idle_timeout", "1"));
    }

    private static void failOver(Cell cell) throws Exception {
        try (RealPostgres primary = RealPostgres.start();
                RealPostgres standby = primary.standby(cell.fault == Fault.FAILOVER_SYNCHRONOUS)) {
            String either =
                    "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/postgres?user=postgres&targetServerType=primary"
                            .formatted(
                                    primary.address().getPort(),
                                    standby.address().getPort());
            Connecting direct = () -> DriverManager.getConnection(either);
            if (!cell.way.hasPooler()) {
                run(cell, direct, either, () -> {
                    primary.kill();
                    standby.promote();
                });
                return;
            }
            try (PgBouncer pooler = pooler(cell, primary)) {
                run(cell, direct, primary.urlThrough(pooler.address()), () -> {
                    primary.kill();
                    standby.promote();
                    pooler.leadTo(standby.address());
                });
            }
        }
    }

    /** Shared by all cells: creating the data folder takes longer than a cell. */
    private static RealPostgres postgres() {
        RealPostgres known = postgres;
        if (known == null) {
            known = RealPostgres.start();
            postgres = known;
        }
        return known;
    }

    private static MariaDb mariaDb() {
        MariaDb known = mariaDb;
        if (known == null) {
            known = MariaDb.start();
            mariaDb = known;
        }
        return known;
    }

    private static void strike(Fault fault, RealPostgres database, @Nullable PgBouncer pooler) throws IOException {
        if (fault == Fault.KILL_DATABASE) {
            database.kill();
            database.restart();
        }
        if (fault == Fault.KILL_POOLER && pooler != null) {
            pooler.kill();
            pooler.start();
        }
    }

    @FunctionalInterface
    private interface Connecting {
        Connection connect() throws SQLException;
    }

    private static void run(Cell cell, Connecting direct, String url, Inserts.Mishap mishap) throws Exception {
        try (Connection connection = direct.connect();
                var statement = connection.createStatement()) {
            statement.execute("drop table if exists payment");
            statement.execute("create table payment(id bigint, amount int)");
        }
        long start = Ticker.SYSTEM.nanos();
        Inserts inserts;
        try (JdbcTarget target = JdbcTarget.on(GuardedDataSource.at(url).build())
                .statement("insert into payment(id, amount) values (:id, :amount)")
                .closesDataSource()
                .build()) {
            FlowBuilder<Object> builder = Flow.named("payments").deadline(Duration.ofSeconds(20));
            Flow<JdbcRequest, JdbcAnswer> flow =
                    cell.collapse ? builder.to(JdbcBatch.over(target).collapse()) : builder.to(target);
            inserts = new Inserts(flow, CALLERS, INSERTS);
            inserts.run(mishap);
        }
        Inserts.Audit audit = inserts.audit(ids(direct));
        TABLE.add(row(cell, audit, (Ticker.SYSTEM.nanos() - start) / 1e9));
        assertThat(audit.isClean(cell.fault != Fault.FAILOVER_ASYNCHRONOUS))
                .as("%s: %s", cell, audit)
                .isTrue();
        assertThat(audit.answered()).as("%s: %s", cell, audit).isPositive();
        if (cell.fault == Fault.NONE) {
            // Callers on a busy machine may time out while waiting for a connection.
            assertThat(audit.reasons().keySet()).as("%s: %s", cell, audit).allMatch(why -> why.startsWith("rejected"));
        }
    }

    private static String row(Cell cell, Inserts.Audit audit, double seconds) {
        return "| %s | %s | %s | %d | %d | %d | %d | %d | %d | %.1f |"
                .formatted(
                        words(cell.way),
                        cell.collapse ? "collapse" : "single",
                        words(cell.fault),
                        audit.answered(),
                        audit.missing(),
                        audit.deniedButPresent(),
                        audit.wronglyRefused(),
                        audit.unknown(),
                        audit.twice(),
                        seconds);
    }

    private static String words(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static List<Long> ids(Connecting direct) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (Connection connection = direct.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery("select id from payment")) {
            while (rows.next()) {
                ids.add(rows.getLong(1));
            }
        }
        return ids;
    }

    @AfterAll
    static void end() throws IOException {
        if (postgres != null) {
            postgres.close();
        }
        if (mariaDb != null) {
            mariaDb.close();
        }
        List<String> lines = new ArrayList<>(List.of(
                "| way | inserts | fault | answered | answered but missing | denied but present | wrongly refused |"
                        + " unknown | twice | seconds |",
                "|---|---|---|---|---|---|---|---|---|---|"));
        lines.addAll(TABLE);
        Files.write(Path.of("target", "insert-matrix.md"), lines);
    }
}
