package dev.penstock.races.jdbcidle;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
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
import org.jspecify.annotations.Nullable;

/** Who runs, by name. A library is loaded only when its contestant is made. */
@SuppressWarnings("ImmutableEnumChecker") // an entry holds copies, a maker holds nothing
enum JdbcIdleContestants {
    /** What nobody knows who begins: when this path kills. */
    INFORMED(
            "informed",
            Role.LIMIT,
            "agroal told of the 5 s: 20 connections from the start on, all looked at in the background every 2 s",
            (url, state) -> agroal(
                    url,
                    pool -> pool.initialSize(Pools.MAX).minSize(Pools.MAX).validationTimeout(Duration.ofSeconds(2)))),

    /** As it was in the origin. */
    C3P0_BEFORE(
            "c3p0-before",
            Role.BEFORE,
            "the origin's c3p0 at a 360th of its times: 10 to 30 connections, timeout 14 s (5000 s), idle test every 8 s"
                    + " (3000 s)",
            (url, state) -> c3p0(url, 10, 14, 8, null)),

    /** What the origin came to. */
    C3P0_AFTER(
            "c3p0-after",
            Role.AFTER,
            "the same as it was cured: 0 to 30 connections, timeout 3 s (1200 s), idle test every 1 s (300 s), SELECT 1",
            (url, state) -> c3p0(url, 0, 3, 1, "SELECT 1")),

    /** As nobody has set it. */
    HIKARI("hikari", Role.PEER, "20 connections, all else at its default", (url, state) -> hikari(url, pool -> {})),

    /** As short as it lets itself be set. */
    HIKARI_FLOOR(
            "hikari-floor",
            Role.PEER,
            List.of("-Dcom.zaxxer.hikari.aliveBypassWindowMs=0"),
            "everything at its floor: a look of 250 ms at each borrow, keepalive 30 s, lifetime 31 s (at 30 s it turns"
                    + " keepalive off), idle 10 s with a minimum of 0; the wait for a connection is 5 s, since one look"
                    + " at a dead one uses up its floor of 250 ms",
            (url, state) -> hikari(url, pool -> {
                pool.setKeepaliveTime(30_000);
                pool.setMaxLifetime(31_000);
                pool.setValidationTimeout(250);
                pool.setConnectionTimeout(5_000);
                pool.setIdleTimeout(10_000);
                pool.setMinimumIdle(0);
            })),

    /** HikariCP as a probe of this path says. */
    HIKARI_PROBED(
            "hikari-probed",
            Role.AFTER,
            "exactly what penstock probe --for-hikari prints for this path, probed once a course",
            ProbedPool::hikari),

    /** c3p0 as a probe of this path says. */
    C3P0_PROBED(
            "c3p0-probed",
            Role.AFTER,
            "exactly what penstock probe --for-c3p0 prints for this path, probed once a course",
            ProbedPool::c3p0),

    /** With the background validation that its documentation tells to use. */
    AGROAL(
            "agroal",
            Role.PEER,
            "20 connections, background validation every 2 min, all else at its default",
            (url, state) -> agroal(url, pool -> pool.validationTimeout(Duration.ofMinutes(2)))),

    /** As it is while nobody sets anything but the size, which all have alike. */
    PENSTOCK(
            "penstock",
            Role.OURS,
            "20 connections at most, all else by itself; it knows nothing of the path when it starts",
            (url, state) -> GuardedPool.pool(url, null)),

    /** The same on the next morning. */
    PENSTOCK_SECOND_START(
            JdbcIdleContestants.SECOND, Role.OURS, "the same with the state file that a first start left", GuardedPool::pool);

    /** The one that is given what a first start has learnt. */
    static final String SECOND = "penstock-second-start";

    /** Makes a pool. */
    @FunctionalInterface
    private interface Maker {
        Pool make(String url, @Nullable Path state) throws Exception;
    }

    private final Entry entry;
    private final Maker maker;

    JdbcIdleContestants(String name, Role role, String how, Maker maker) {
        this(name, role, List.of(), how, maker);
    }

    JdbcIdleContestants(String name, Role role, List<String> jvmOptions, String how, Maker maker) {
        this.entry = new Entry(name, role, Map.of("how", how), true, jvmOptions);
        this.maker = maker;
    }

    /**
     * The one of that name.
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
     * Makes its pool.
     *
     * @param url of PostgreSQL; the pool is given the driver that counts
     * @param state a file of what an earlier start learnt; null for a first start
     */
    Pool pool(String url, @Nullable Path state) throws Exception {
        return maker.make(CountedDriver.url(url), state);
    }

    /** What all have alike, but the origin's. */
    static final class Pools {
        static final int MAX = 20;

        private Pools() {}
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
}
