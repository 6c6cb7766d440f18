package dev.penstock.jdbc.guard;

import dev.penstock.Ticker;
import dev.penstock.jdbc.postgres.ServerStatements;
import dev.penstock.state.StateFile;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link GuardedDataSource}. What is not given is measured. Every method checks its argument at once and throws
 * IllegalArgumentException with one line when it is out of range. Not safe for many threads.
 */
public final class GuardedDataSourceBuilder {
    private static final String FACTORY = "socketFactory";

    final Properties properties = new Properties();
    private final @Nullable String url;
    private final @Nullable DataSource connections;
    private final String name;
    private @Nullable String testQuery;
    private @Nullable String initSql;
    private @Nullable Duration idleKill;
    private StateFile state = StateFile.none();
    int max;
    int warm;
    boolean autoCommit = true;
    boolean readOnly;

    @Nullable
    String isolation;

    @Nullable
    Duration leakAfter;

    Duration connectTimeout = Duration.ofSeconds(5);
    Duration borrowTimeout = Duration.ofSeconds(30);
    Duration maxAge = Duration.ofMinutes(30);
    Ticker ticker = Ticker.SYSTEM;

    private GuardedDataSourceBuilder(@Nullable String url, @Nullable DataSource connections, String name) {
        this.url = url;
        this.connections = connections;
        this.name = name;
    }

    static GuardedDataSourceBuilder at(String url) {
        try {
            DriverManager.getDriver(url);
        } catch (SQLException e) {
            throw new IllegalArgumentException(
                    "no JDBC driver knows the URL " + withoutSecrets(url)
                            + ": put the jar of that database's driver on the class path, or name its folder with --lib DIR"
                            + " (penstock), or correct the URL",
                    e);
        }
        return new GuardedDataSourceBuilder(url, null, withoutSecrets(url));
    }

    static GuardedDataSourceBuilder over(DataSource connections, String name) {
        return new GuardedDataSourceBuilder(null, connections, name);
    }

    /** Without its parameters, which may hold a password. */
    private static String withoutSecrets(String url) {
        return url.replaceFirst("[?;].*", "").replaceFirst("//[^/@]*@", "//");
    }

    /** The user of the database. Default: what the URL says. */
    public GuardedDataSourceBuilder user(String user) {
        return property("user", user);
    }

    /** The user's password. Default: what the URL says. */
    public GuardedDataSourceBuilder password(String password) {
        return property("password", password);
    }

    /** A property for the driver, as its manual names it. */
    public GuardedDataSourceBuilder property(String key, String value) {
        properties.setProperty(key, value);
        return this;
    }

    /**
     * How many connections are allowed, 1..1000. Default: found by what is wanted, rate x time, up to {@value
     * PoolSizing#CEILING}.
     */
    public GuardedDataSourceBuilder max(int connections) {
        max = (int) within("max", connections, 1, 1000);
        return this;
    }

    /** How many connections are kept open and alive at least, 0..1000. Default: found by what was wanted lately. */
    public GuardedDataSourceBuilder warm(int connections) {
        warm = (int) within("warm", connections, 0, 1000);
        return this;
    }

    /** The idle age at which the way kills connections, 100 ms..24 h. Default: learned. */
    public GuardedDataSourceBuilder idleKill(Duration age) {
        idleKill = between("idleKill", age, Duration.ofMillis(100), Duration.ofHours(24));
        return this;
    }

    /** How long the opening of a connection may take, 1 ms..10 min. Default: 5 s. */
    public GuardedDataSourceBuilder connectTimeout(Duration time) {
        connectTimeout = between("connectTimeout", time, Duration.ofMillis(1), Duration.ofMinutes(10));
        return this;
    }

    /** How long a caller waits for a connection at most, 1 ms..1 h. Default: 30 s. */
    public GuardedDataSourceBuilder borrowTimeout(Duration time) {
        borrowTimeout = between("borrowTimeout", time, Duration.ofMillis(1), Duration.ofHours(1));
        return this;
    }

    /** How long a connection is kept at most, 1 s..24 h; one in use is never cut off. Default: 30 min. */
    public GuardedDataSourceBuilder maxAge(Duration age) {
        maxAge = between("maxAge", age, Duration.ofSeconds(1), Duration.ofHours(24));
        return this;
    }

    /**
     * After which time a connection that is still out is logged with the stack trace of its borrower, 2 s..24 h, and counted as
     * {@code leaked}; once more when it comes back after all. Costs a stack trace for each connection that is lent. Default: never.
     */
    public GuardedDataSourceBuilder leakAfter(Duration time) {
        leakAfter = between("leakAfter", time, Duration.ofSeconds(2), Duration.ofHours(24));
        return this;
    }

    /** A query that shows that a connection lives, for drivers before JDBC 4. Default: the driver's own test. */
    public GuardedDataSourceBuilder testQuery(String sql) {
        testQuery = sql;
        return this;
    }

    /** A statement that each new connection runs first. Default: none. */
    public GuardedDataSourceBuilder initSql(String sql) {
        initSql = sql;
        return this;
    }

    /** Whether connections commit by themselves when lent out. Default: true. */
    public GuardedDataSourceBuilder autoCommit(boolean on) {
        autoCommit = on;
        return this;
    }

    /** Whether connections are read-only when lent out. Default: false. */
    public GuardedDataSourceBuilder readOnly(boolean on) {
        readOnly = on;
        return this;
    }

    /** The isolation of transactions, as {@link java.sql.Connection} names it. Default: the database's. */
    public GuardedDataSourceBuilder isolation(String level) {
        isolation = level;
        return this;
    }

    /** Where what is learned outlives a restart. Default: nowhere. */
    public GuardedDataSourceBuilder state(StateFile file) {
        state = file;
        return this;
    }

    /** Takes another clock, for tests. Default: {@link Ticker#SYSTEM}. */
    GuardedDataSourceBuilder ticker(Ticker clock) {
        ticker = clock;
        return this;
    }

    /**
     * Finishes it. The first connection is opened in the background: a database that is down now keeps nobody from
     * starting.
     *
     * @throws IllegalArgumentException when more are to be kept warm than are allowed
     */
    public GuardedDataSource build() {
        if (max > 0 && warm > max) {
            throw new IllegalArgumentException(
                    "warm is " + warm + ", but max is " + max + ": keep no more warm than that");
        }
        return new GuardedDataSource(this);
    }

    String name() {
        return name;
    }

    PoolContext guard(Demand demand, ServerStatements statements) {
        String key = StateFile.name("jdbc.idle:" + name);
        IdleTimeoutEstimator age = idleKill == null ? IdleTimeoutEstimator.from(state.value(key)) : IdleTimeoutEstimator.pinned(idleKill.toNanos());
        return new PoolContext(
                name,
                new ConnectionOpener(way(), initSql, statements, connectTimeout, ticker),
                new Validations(testQuery, ticker),
                new SocketProbe(),
                new LearnedIdleTimeout(age, state, key),
                demand,
                ticker,
                leakAfter);
    }

    private ConnectionOpener.Way way() {
        DataSource source = connections;
        String at = url;
        if (source != null) {
            return word -> source.getConnection();
        }
        if (at == null) {
            throw new IllegalStateException("neither a URL nor a data source");
        }
        boolean watched = at.contains(":postgresql:") && !at.contains(FACTORY) && !properties.containsKey(FACTORY);
        return word -> {
            Properties all = new Properties();
            all.putAll(properties);
            if (watched) {
                all.setProperty(FACTORY, WatchedSocketFactory.class.getName());
                all.setProperty("socketFactoryArg", word);
            }
            Driver driver = DriverManager.getDriver(at);
            var made = driver.connect(at, all);
            if (made == null) {
                throw new SQLException("the driver " + driver.getClass().getName() + " does not know " + name, "08001");
            }
            return made;
        };
    }

    private static long within(String what, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + " is " + value + ": give " + least + " to " + most);
        }
        return value;
    }

    private static Duration between(String what, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " is " + value + ": give " + least + " to " + most);
        }
        return value;
    }
}
