package dev.penstock.jdbc.kit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * A real PostgreSQL: either the one shared by the tests of this JVM, each with its own {@link #schema()}, or one that a
 * test starts, to {@link #kill()} and {@link #restart()} it.
 *
 * <p>Commits are durable: {@code fsync} and {@code synchronous_commit} are on unless a test changes them. Folders are
 * under java.io.tmpdir and deleted with the server, and ports are free ones, so several modules and JVMs may use it at
 * the same time. Safe for many threads.
 */
public final class RealPostgres implements RealDatabase {
    /** The name of the variable with the URL of a running server to use instead of the shared one. */
    public static final String ENVIRONMENT = "PENSTOCK_TEST_POSTGRES";

    private static final Duration TO_FOLLOW = Duration.ofSeconds(120);
    private static final long LOOK_AGAIN_NS = 20_000_000;

    private static @Nullable RealPostgres shared;

    private final @Nullable Server server;
    private final String url;

    private RealPostgres(@Nullable Server server, String url) {
        this.server = server;
        this.url = url;
    }

    /** The shared server of this JVM, started on first use and stopped with the JVM. Do not close or kill it. */
    public static synchronized RealPostgres shared() {
        if (shared == null) {
            String given = System.getenv(ENVIRONMENT);
            // The tests keep no data, so they need not wait for the disk.
            shared = given == null || given.isBlank() ? start(Map.of("fsync", "off")) : at(given);
        }
        return shared;
    }

    /** Starts a server for one test, with durable commits. Close it. */
    public static RealPostgres start() {
        return start(Map.of());
    }

    /**
     * Starts a server for one test. Close it.
     *
     * @param settings of postgresql.conf, which override the defaults
     * @throws UncheckedIOException when it does not start, with its last log lines
     */
    public static RealPostgres start(Map<String, String> settings) {
        return start(settings, RunAs.best());
    }

    static RealPostgres start(Map<String, String> settings, RunAs runAs) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("listen_addresses", "127.0.0.1");
        all.put("unix_socket_directories", "");
        all.put("max_connections", "400");
        all.put("fsync", "on");
        all.put("synchronous_commit", "on");
        all.put("shared_buffers", "128MB");
        all.putAll(settings);
        try {
            return of(new Server(runAs, all));
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private static RealPostgres of(Server server) {
        return new RealPostgres(server, "jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
    }

    /**
     * Starts a standby, for which this server restarts. Returns when the standby follows. Close it.
     *
     * @param synchronous whether each commit waits for the standby
     */
    public RealPostgres standby(boolean synchronous) throws IOException, SQLException {
        own().stop();
        RealPostgres standby;
        try {
            // A standby needs no running primary to accept connections, so it may start first.
            standby = of(new Server(own()));
        } finally {
            own().start();
        }
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            if (synchronous) {
                statement.execute("alter system set synchronous_standby_names = '*'");
                statement.execute("select pg_reload_conf()");
            }
            await(
                    statement,
                    "select count(*) = 1 from pg_stat_replication where state = 'streaming' and sync_state = '"
                            + (synchronous ? "sync" : "async") + "'");
        }
        return standby;
    }

    /** Makes a standby the primary; returns when it accepts writes. */
    public void promote() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            await(statement, "select pg_promote()");
        }
    }

    private static void await(Statement statement, String question) throws SQLException {
        long until = System.nanoTime() + TO_FOLLOW.toNanos();
        while (true) {
            try (ResultSet rows = statement.executeQuery(question)) {
                if (rows.next() && rows.getBoolean(1)) {
                    return;
                }
            }
            if (System.nanoTime() > until) {
                throw new SQLException("not true within " + TO_FOLLOW.toSeconds() + " s: " + question);
            }
            LockSupport.parkNanos(LOOK_AGAIN_NS);
        }
    }

    /** A server that is already running. */
    static RealPostgres at(String url) {
        if (Driver.parseURL(url, null) == null) {
            throw new IllegalArgumentException(
                    ENVIRONMENT + " must be a JDBC URL, jdbc:postgresql://host:5432/database?user=..&password=..");
        }
        return new RealPostgres(null, url);
    }

    /** The URL, including user and password if there are any. */
    public String url() {
        return url;
    }

    @Override
    public String urlThrough(InetSocketAddress proxy) {
        String rest = url.substring("jdbc:postgresql://".length());
        int path = rest.indexOf('/');
        if (path < 0) {
            throw new IllegalStateException("the URL names no database");
        }
        return "jdbc:postgresql://" + host(proxy) + ":" + proxy.getPort() + rest.substring(path);
    }

    /** The address itself if it is known: a name may have two addresses, and the server may listen on one of them. */
    private static String host(InetSocketAddress proxy) {
        if (proxy.getAddress() == null) {
            return proxy.getHostString();
        }
        String address = proxy.getAddress().getHostAddress();
        return address.contains(":") ? "[" + address + "]" : address;
    }

    /** Its address, for a proxy in front of it. */
    public InetSocketAddress address() {
        Properties parts = parts();
        return new InetSocketAddress(parts.getProperty("PGHOST"), Integer.parseInt(parts.getProperty("PGPORT")));
    }

    /** Creates an empty schema for one test. Closing it drops it. */
    public FreshSchema schema() throws SQLException {
        return new FreshSchema(this);
    }

    @Override
    public String sleeping(double seconds) {
        return "select pg_sleep(" + seconds + ")";
    }

    @Override
    public String idleSessions() {
        return "select 'select pg_terminate_backend(' || pid || ')' from pg_stat_activity"
                + " where pid <> pg_backend_pid() and state = 'idle'";
    }

    @Override
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    @Override
    public int port() {
        return address().getPort();
    }

    @Override
    public void kill() throws IOException {
        own().kill();
    }

    /** Stops it gracefully and waits until it has ended. Does nothing when it is not running. */
    public void stop() throws IOException {
        own().stop();
    }

    /**
     * Starts it again, on the same folder and port, after a graceful stop if it is running. Waits until it accepts
     * connections.
     */
    @Override
    public void restart() throws IOException {
        own().stop();
        own().start();
    }

    @Override
    public void suspend() throws IOException {
        own().suspend();
    }

    @Override
    public void resume() throws IOException {
        own().resume();
    }

    /** How PostgreSQL, which rejects root, was started; or that it was already running. */
    public String runsAs() {
        return server == null ? "given by " + ENVIRONMENT : server.runAs().toString();
    }

    @Override
    public void close() throws IOException {
        if (server != null) {
            server.close();
        }
    }

    private Properties parts() {
        Properties parts = Driver.parseURL(url, null);
        if (parts == null) {
            throw new IllegalStateException("not a URL of PostgreSQL");
        }
        return parts;
    }

    private Server own() {
        if (server == null) {
            throw new UnsupportedOperationException(
                    "a server given by " + ENVIRONMENT + " is not ours to kill; take RealPostgres.start() for that");
        }
        return server;
    }
}
