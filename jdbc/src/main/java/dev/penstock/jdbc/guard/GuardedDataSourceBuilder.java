package dev.penstock.jdbc.guard;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.util.DriverDataSource;
import dev.penstock.LiveSetting;
import dev.penstock.LiveSetting.Now;
import dev.penstock.StateFile;
import dev.penstock.Ticker;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link GuardedDataSource}. Settings that are not given are measured. Every method checks its argument
 * immediately and throws IllegalArgumentException with a one-line message when it is out of range. Not thread-safe.
 */
public final class GuardedDataSourceBuilder {
    /** The upper bound of {@link #max} and {@link #warm}: {@value}. */
    public static final int MAX_CONNECTIONS = 1000;

    /** The range of {@link #idleKill}. */
    public static final String IDLE_TIMES = "100ms..24h";

    /** The range of {@link #connectTimeout}. */
    public static final String CONNECT_TIMES = "1ms..10m";

    /** The range of {@link #borrowTimeout}. */
    public static final String BORROW_TIMES = "1ms..1h";

    /** The range of {@link #maxAge}. */
    public static final String AGES = "1s..24h";

    static final String SIZES = "1.." + MAX_CONNECTIONS;

    /** The default of {@link #connectTimeout}: 5 s. */
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** The default of {@link #borrowTimeout}: 30 s. */
    public static final Duration DEFAULT_BORROW_TIMEOUT = Duration.ofSeconds(30);

    /** The default of {@link #maxAge}: 30 min. */
    public static final Duration DEFAULT_MAX_AGE = Duration.ofMinutes(30);

    private static final String FACTORY = "socketFactory";

    private static final long USUAL_IDLE_MS = 600_000;

    final HikariConfig config = new HikariConfig();
    private final Properties properties = new Properties();
    private Supplier<? extends @Nullable String> user = () -> null;
    private Supplier<? extends @Nullable String> password = () -> null;
    private final @Nullable String url;
    private final @Nullable DataSource connections;
    private final String name;
    int max;
    int warm = 1;
    Duration connectTimeout = DEFAULT_CONNECT_TIMEOUT;
    Duration borrowTimeout = DEFAULT_BORROW_TIMEOUT;
    Duration maxAge = DEFAULT_MAX_AGE;
    StateFile state = StateFile.none();
    Ticker ticker = Ticker.SYSTEM;

    @Nullable
    Duration idleKill;

    private GuardedDataSourceBuilder(@Nullable String url, @Nullable DataSource connections, String name) {
        this.url = url;
        this.connections = connections;
        this.name = name;
    }

    static GuardedDataSourceBuilder at(String url) {
        JdbcDrivers.require(url, withoutSecrets(url));
        return new GuardedDataSourceBuilder(url, null, withoutSecrets(url));
    }

    static GuardedDataSourceBuilder over(DataSource connections, String name) {
        return new GuardedDataSourceBuilder(null, connections, name);
    }

    /** Removes the parameters and the user info, which may contain a password. */
    private static String withoutSecrets(String url) {
        return url.replaceFirst("[?;].*", "").replaceFirst("//[^/@]*@", "//");
    }

    /** The database user. Default: from the URL. */
    public GuardedDataSourceBuilder user(String name) {
        return user(() -> name);
    }

    /** As above, for one that may change: called for each new connection. */
    public GuardedDataSourceBuilder user(Supplier<String> name) {
        user = name;
        return this;
    }

    /** The user's password. Default: from the URL. */
    public GuardedDataSourceBuilder password(String secret) {
        return password(() -> secret);
    }

    /** As above, for one that may change: called for each new connection. */
    public GuardedDataSourceBuilder password(Supplier<String> secret) {
        password = secret;
        return this;
    }

    /** A connection property of the driver. */
    public GuardedDataSourceBuilder property(String key, String value) {
        properties.setProperty(key, value);
        return this;
    }

    /**
     * The maximum number of connections, 1..{@value #MAX_CONNECTIONS}. Default: adaptive, {@value PoolSizing#FIRST} to
     * {@value PoolSizing#CEILING}.
     */
    public GuardedDataSourceBuilder max(int connections) {
        max = Ranges.within("max", connections, 1, MAX_CONNECTIONS);
        return this;
    }

    /** The number of connections kept open without demand, 0..{@value #MAX_CONNECTIONS}. Default: 1. */
    public GuardedDataSourceBuilder warm(int connections) {
        warm = Ranges.within("warm", connections, 0, MAX_CONNECTIONS);
        return this;
    }

    /** The idle time after which the network or the server drops connections, 100 ms..24 h. Default: learned. */
    public GuardedDataSourceBuilder idleKill(Duration age) {
        idleKill = between("idleKill", age, IDLE_TIMES);
        return this;
    }

    /** The time limit for opening a connection, 1 ms..10 min. Default: 5 s. */
    public GuardedDataSourceBuilder connectTimeout(Duration time) {
        connectTimeout = between("connectTimeout", time, CONNECT_TIMES);
        return this;
    }

    /** The maximum time a caller waits for a connection, 1 ms..1 h. Default: 30 s. */
    public GuardedDataSourceBuilder borrowTimeout(Duration time) {
        borrowTimeout = between("borrowTimeout", time, BORROW_TIMES);
        return this;
    }

    /** The maximum lifetime of a connection, 1 s..24 h; one in use is never closed. Default: 30 min. */
    public GuardedDataSourceBuilder maxAge(Duration age) {
        maxAge = between("maxAge", age, AGES);
        return this;
    }

    /** A validation query, for drivers before JDBC 4. Default: {@link java.sql.Connection#isValid}. */
    public GuardedDataSourceBuilder testQuery(String sql) {
        config.setConnectionTestQuery(sql);
        return this;
    }

    /** A statement executed once on each new connection. Default: none. */
    public GuardedDataSourceBuilder initSql(String sql) {
        config.setConnectionInitSql(sql);
        return this;
    }

    /** Whether borrowed connections are in autocommit mode. Default: true. */
    public GuardedDataSourceBuilder autoCommit(boolean on) {
        config.setAutoCommit(on);
        return this;
    }

    /** Whether borrowed connections are read-only. Default: false. */
    public GuardedDataSourceBuilder readOnly(boolean on) {
        config.setReadOnly(on);
        return this;
    }

    /**
     * The transaction isolation level, by the name of its constant in {@link java.sql.Connection}. Default: that of the
     * database.
     */
    public GuardedDataSourceBuilder isolation(String level) {
        config.setTransactionIsolation(level);
        return this;
    }

    /** Where learned values are stored across restarts. Default: not stored. */
    public GuardedDataSourceBuilder state(StateFile file) {
        state = file;
        return this;
    }

    /**
     * Changes other settings of HikariCP, for instance its metrics, leak detection and management beans. Sizes, times, validation and
     * the source of the connections are set by this builder.
     */
    public GuardedDataSourceBuilder hikari(Consumer<HikariConfig> settings) {
        settings.accept(config);
        return this;
    }

    /** Uses another clock, for tests. Default: {@link Ticker#SYSTEM}. */
    GuardedDataSourceBuilder ticker(Ticker clock) {
        ticker = clock;
        return this;
    }

    /**
     * Builds the data source. The first connection is opened in the background, so a database that is down does not
     * prevent the start.
     *
     * @throws IllegalArgumentException when {@code warm} exceeds {@code max}
     */
    public GuardedDataSource build() {
        if (max > 0 && warm > Math.max(1, max)) {
            throw new IllegalArgumentException("warm (" + warm + ") exceeds max (" + max + ")");
        }
        HikariConfig hikari = new HikariConfig();
        config.copyStateTo(hikari);
        hikari.setPoolName(name);
        hikari.setMaximumPoolSize(max == 0 ? Math.max(PoolSizing.FIRST, warm) : max);
        hikari.setMinimumIdle(warm);
        hikari.setConnectionTimeout(Math.max(250, borrowTimeout.toMillis()));
        hikari.setIdleTimeout(USUAL_IDLE_MS);
        // These concern the physical connections, not the shells: see HouseKeeper.
        hikari.setMaxLifetime(0);
        hikari.setKeepaliveTime(0);
        hikari.setConnectionInitSql(null);
        hikari.setConnectionTestQuery(null);
        hikari.setInitializationFailTimeout(-1);
        return new GuardedDataSource(this, hikari);
    }

    String name() {
        return name;
    }

    /** The settings that do not adapt. */
    List<LiveSetting> configured() {
        return List.of(
                configured("pool.warm", warm + "", "1", "0.." + MAX_CONNECTIONS),
                configured("pool.wait", borrowTimeout, DEFAULT_BORROW_TIMEOUT, BORROW_TIMES),
                configured("pool.connect_timeout", connectTimeout, DEFAULT_CONNECT_TIMEOUT, CONNECT_TIMES),
                configured("pool.max_age", maxAge, DEFAULT_MAX_AGE, AGES));
    }

    private static LiveSetting configured(String setting, Duration value, Duration byDefault, String range) {
        return configured(setting, Durations.format(value), Durations.format(byDefault), range);
    }

    private static LiveSetting configured(String setting, String value, String byDefault, String range) {
        boolean given = !value.equals(byDefault);
        return live(setting, () -> new Now(value, range, given ? "configured" : "the default", given));
    }

    static LiveSetting live(String setting, Supplier<Now> now) {
        return new LiveSetting(setting, now, InstantSource.system());
    }

    /** Opens physical connections. */
    WatchedSocketFactory.Connector connector() {
        if (connections != null) {
            return connections::getConnection;
        }
        String at = Objects.requireNonNull(url);
        Properties given = new Properties();
        given.putAll(properties);
        // MariaDB's driver changes its sockets by itself when its URL names a mode, as in
        // jdbc:mariadb:sequential://a,b.
        if ((at.contains(":postgresql:") || at.contains(":mariadb://")) && !at.contains(FACTORY)) {
            given.putIfAbsent(FACTORY, WatchedSocketFactory.class.getName());
        }
        DataSource driver = new DriverDataSource(at, null, given, null, null);
        Supplier<? extends @Nullable String> login = user;
        Supplier<? extends @Nullable String> secret = password;
        return () -> driver.getConnection(login.get(), secret.get());
    }

    private static Duration between(String what, Duration value, String range) {
        String[] bounds = range.split("[.][.]", -1);
        return Ranges.within(what, value, Durations.parse(bounds[0]), Durations.parse(bounds[1]));
    }
}
