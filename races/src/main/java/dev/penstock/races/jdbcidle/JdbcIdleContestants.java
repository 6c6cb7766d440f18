package dev.penstock.races.jdbcidle;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.sql.CountedDriver;
import java.beans.PropertyVetoException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** The contestants, by name. A library is loaded only when its contestant is created. */
@SuppressWarnings("ImmutableEnumChecker") // entries are copies, factories are stateless
enum JdbcIdleContestants {
    /** The defaults. */
    HIKARI("hikari", Role.PEER, "10 connections and all other defaults", url -> hikari(url, pool -> {})),

    /** What its documentation and the firewalls' suggest. */
    HIKARI_CONFIGURED(
            "hikari-configured",
            Role.AFTER,
            "keepalive 30 s, validation timeout 250 ms, minimum idle 2, the driver's socket timeout 10 s",
            url -> hikari(url, pool -> {
                pool.setKeepaliveTime(30_000);
                pool.setValidationTimeout(250);
                pool.setMinimumIdle(2);
                // PostgreSQL's driver counts in seconds, MariaDB's in milliseconds.
                pool.addDataSourceProperty("socketTimeout", url.contains(":mariadb:") ? "10000" : "10");
            })),

    /** The defaults. */
    C3P0("c3p0", Role.BEFORE, "10 connections at most and all other defaults", url -> c3p0(url, 0)),

    /** With idle tests. */
    C3P0_TESTED("c3p0-tested", Role.PEER, "10 connections at most, idle ones tested every 30 s", url -> c3p0(url, 30)),

    /** The defaults, except for the size, which is the same for all. */
    PENSTOCK("penstock", Role.OURS, "10 connections at most, otherwise defaults", JdbcIdleContestants::penstock);

    private static final int MAX = 10;

    /** Creates a pool. */
    @FunctionalInterface
    private interface Factory {
        Pool create(String url) throws Exception;
    }

    private final Entry entry;
    private final Factory factory;

    JdbcIdleContestants(String name, Role role, String how, Factory factory) {
        this.entry = new Entry(name, role, Map.of("how", how), true, List.of());
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
     * @param url of the database; accessed through the counting driver
     */
    Pool pool(String url) throws Exception {
        return factory.create(CountedDriver.url(url));
    }

    private static Pool penstock(String url) {
        GuardedDataSource source = GuardedDataSource.at(url).max(MAX).build();
        return new Pool(source, source);
    }

    private static Pool hikari(String url, Consumer<HikariConfig> settings) {
        HikariConfig config = new HikariConfig();
        config.setDriverClassName(CountedDriver.class.getName());
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(MAX);
        settings.accept(config);
        HikariDataSource source = new HikariDataSource(config);
        return new Pool(source, source);
    }

    private static Pool c3p0(String url, int testEveryS) throws PropertyVetoException {
        ComboPooledDataSource source = new ComboPooledDataSource();
        source.setDriverClass(CountedDriver.class.getName());
        source.setJdbcUrl(url);
        source.setMaxPoolSize(MAX);
        source.setIdleConnectionTestPeriod(testEveryS);
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
