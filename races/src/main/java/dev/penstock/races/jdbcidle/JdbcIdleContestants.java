package dev.penstock.races.jdbcidle;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.StateFile;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.sql.CountedDriver;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration.ConnectionValidator;
import io.agroal.api.configuration.supplier.AgroalConnectionPoolConfigurationSupplier;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import java.beans.PropertyVetoException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The contestants, by name. A library is loaded only when its contestant is created. */
@SuppressWarnings("ImmutableEnumChecker") // entries are copies, factories are stateless
enum JdbcIdleContestants {
    /** Knows in advance when this path kills connections. */
    INFORMED(
            "informed",
            Role.LIMIT,
            "agroal configured for the 5 s: 20 connections from the start, background validation every 2 s",
            (url, state) -> agroal(
                    url,
                    pool -> pool.initialSize(Pools.MAX).minSize(Pools.MAX).validationTimeout(Duration.ofSeconds(2)))),

    /** The original service's setting. */
    C3P0_BEFORE(
            "c3p0-before",
            Role.BEFORE,
            "the original c3p0 settings with times divided by 360: 10 to 30 connections, timeout 14 s (5000 s), idle test every 8 s"
                    + " (3000 s)",
            (url, state) -> c3p0(url, 10, 14, 8, null)),

    /** The original service's setting after tuning. */
    C3P0_AFTER(
            "c3p0-after",
            Role.AFTER,
            "the same after tuning: 0 to 30 connections, timeout 3 s (1200 s), idle test every 1 s (300 s), SELECT 1",
            (url, state) -> c3p0(url, 0, 3, 1, "SELECT 1")),

    /** The defaults. */
    HIKARI("hikari", Role.PEER, "20 connections, otherwise defaults", (url, state) -> hikari(url, pool -> {})),

    /** The shortest possible times. */
    HIKARI_FLOOR(
            "hikari-floor",
            Role.PEER,
            List.of("-Dcom.zaxxer.hikari.aliveBypassWindowMs=0"),
            "all times at their minimum: validation timeout 250 ms at each borrow, keepalive 30 s, lifetime 31 s (30 s turns"
                    + " keepalive off), idle 10 s with a minimum of 0; connection timeout 5 s, because one validation"
                    + " of a dead connection uses up the minimum of 250 ms",
            (url, state) -> hikari(url, pool -> {
                pool.setKeepaliveTime(30_000);
                pool.setMaxLifetime(31_000);
                pool.setValidationTimeout(250);
                pool.setConnectionTimeout(5_000);
                pool.setIdleTimeout(10_000);
                pool.setMinimumIdle(0);
            })),

    /** HikariCP with the settings recommended by a probe of this path. */
    HIKARI_PROBED(
            "hikari-probed",
            Role.AFTER,
            "the settings printed by penstock probe --for-hikari for this path, probed once per course",
            ProbedPool::hikari),

    /** c3p0 with the settings recommended by a probe of this path. */
    C3P0_PROBED(
            "c3p0-probed",
            Role.AFTER,
            "the settings printed by penstock probe --for-c3p0 for this path, probed once per course",
            ProbedPool::c3p0),

    /** With the background validation that its documentation recommends. */
    AGROAL(
            "agroal",
            Role.PEER,
            "20 connections, background validation every 2 min, otherwise defaults",
            (url, state) -> agroal(url, pool -> pool.validationTimeout(Duration.ofMinutes(2)))),

    /** The defaults, except for the size, which is the same for all. */
    PENSTOCK(
            "penstock",
            Role.OURS,
            "20 connections at most, otherwise defaults; no knowledge of the path at the start",
            (url, state) -> penstock(url, null)),

    /** The same after a restart. */
    PENSTOCK_SECOND_START(
            JdbcIdleContestants.SECOND,
            Role.OURS,
            "the same with the state file of a first start",
            JdbcIdleContestants::penstock);

    /** The contestant with the state learned by a first start. */
    static final String SECOND = "penstock-second-start";

    /** Creates a pool. */
    @FunctionalInterface
    private interface Factory {
        Pool create(String url, @Nullable Path state) throws Exception;
    }

    private final Entry entry;
    private final Factory factory;

    JdbcIdleContestants(String name, Role role, String how, Factory factory) {
        this(name, role, List.of(), how, factory);
    }

    JdbcIdleContestants(String name, Role role, List<String> jvmOptions, String how, Factory factory) {
        this.entry = new Entry(name, role, Map.of("how", how), true, jvmOptions);
        this.factory = factory;
    }

    /**
     * The contestant with this name.
     *
     * @throws IllegalArgumentException when there is none
     */
    static JdbcIdleContestants named(String name) {
        return Arrays.stream(values())
                .filter(contestant -> contestant.entry.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("jdbc-idle has no contestant " + name));
    }

    static List<Entry> entries() {
        return Arrays.stream(values()).map(JdbcIdleContestants::entry).toList();
    }

    Entry entry() {
        return entry;
    }

    /**
     * Creates its pool.
     *
     * @param url of PostgreSQL; accessed through the counting driver
     * @param state a file with the learned state of an earlier start; null for a first start
     */
    Pool pool(String url, @Nullable Path state) throws Exception {
        return factory.create(CountedDriver.url(url), state);
    }

    /** Common settings of all except the original ones. */
    static final class Pools {
        static final int MAX = 20;

        private Pools() {}
    }

    private static Pool penstock(String url, @Nullable Path state) {
        GuardedDataSource source = GuardedDataSource.at(url)
                .max(Pools.MAX)
                .state(state == null ? StateFile.none() : StateFile.at(state))
                .build();
        return new Pool(source, source);
    }

    private static Pool hikari(String url, Consumer<HikariConfig> settings) {
        HikariConfig config = new HikariConfig();
        config.setDriverClassName(CountedDriver.class.getName());
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(Pools.MAX);
        settings.accept(config);
        HikariDataSource source = new HikariDataSource(config);
        return new Pool(source, source);
    }

    private static Pool c3p0(String url, int min, int timeoutS, int testEveryS, @Nullable String testQuery)
            throws PropertyVetoException {
        ComboPooledDataSource source = new ComboPooledDataSource();
        source.setDriverClass(CountedDriver.class.getName());
        source.setJdbcUrl(url);
        source.setMaxPoolSize(30);
        source.setMinPoolSize(min);
        source.setInitialPoolSize(min);
        source.setMaxIdleTime(timeoutS);
        source.setIdleConnectionTestPeriod(testEveryS);
        if (testQuery != null) {
            source.setPreferredTestQuery(testQuery);
        }
        return new Pool(source, source);
    }

    private static Pool agroal(String url, Consumer<AgroalConnectionPoolConfigurationSupplier> settings)
            throws SQLException {
        AgroalDataSourceConfigurationSupplier config = new AgroalDataSourceConfigurationSupplier();
        config.connectionPoolConfiguration()
                .maxSize(Pools.MAX)
                .connectionValidator(ConnectionValidator.defaultValidator())
                .connectionFactoryConfiguration()
                .connectionProviderClass(CountedDriver.class)
                .jdbcUrl(url);
        settings.accept(config.connectionPoolConfiguration());
        AgroalDataSource source = AgroalDataSource.from(config);
        return new Pool(source, source);
    }

    /** A contestant: a data source and how to close it. Thread-safe. */
    record Pool(DataSource source, AutoCloseable end) implements AutoCloseable {
        private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

        /** A pool that hangs on a dead connection may hang on close too; the JVM ends soon after. */
        @Override
        public void close() {
            Thread closing = Thread.ofPlatform().daemon().name("pool-end").start(() -> {
                try {
                    end.close();
                } catch (Exception e) {
                    // The measurement is complete by then.
                }
            });
            try {
                closing.join(CLOSE_TIMEOUT);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
