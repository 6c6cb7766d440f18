package dev.penstock.cli.probe;

import dev.penstock.jdbc.JdbcBatch;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.probe.AnnouncedLimit;
import dev.penstock.lab.probe.IdleConnection;
import dev.penstock.lab.probe.ProbePeer;
import java.io.IOException;
import java.net.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A database. Load uses a {@code JdbcTarget} on {@link DirectConnections}; idle connections are the driver's too. */
public final class JdbcPeer implements ProbePeer {
    /** The statement on idle connections, without side effects. */
    private static final String TEST_QUERY = "select 1";

    private static final String TIMEOUT_SECONDS = "10";

    private final String url;
    private final String where;
    private final LoadSender loader;
    private final @Nullable JdbcBatch batches;
    private final LongFunction<JdbcRequest> requests;
    private final DirectConnections connections;
    private final AtomicLong sent = new AtomicLong();

    /**
     * Creates a peer.
     *
     * @param where the URL without secrets
     * @param loader runs statements; closed with this
     * @param requests creates a request from its number
     * @param batches runs batches with one commit; null for none
     * @param connections those of the loader; closed with it
     */
    public JdbcPeer(
            String url,
            String where,
            LoadSender loader,
            LongFunction<JdbcRequest> requests,
            @Nullable JdbcBatch batches,
            DirectConnections connections) {
        this.url = url;
        this.where = where;
        this.loader = loader;
        this.requests = requests;
        this.batches = batches;
        this.connections = connections;
    }

    @Override
    public String where() {
        return where;
    }

    @Override
    public LoadResult run(Load<?> load) throws InterruptedException {
        return loader.run(load);
    }

    private static boolean isPostgres(String url) {
        return url.startsWith("jdbc:postgresql:");
    }

    @Override
    public void release() {
        connections.release();
    }

    @Override
    public List<AnnouncedLimit> announced() throws IOException {
        try (Connection connection = DriverManager.getConnection(url, timeouts())) {
            if (isPostgres(url)) {
                return PostgresServerLimits.of(connection);
            }
            List<AnnouncedLimit> all = new ArrayList<>();
            all.add(new AnnouncedLimit(
                    "version",
                    connection.getMetaData().getDatabaseProductName() + " "
                            + connection.getMetaData().getDatabaseProductVersion(),
                    "the database that answers"));
            int most = connection.getMetaData().getMaxConnections();
            if (most > 0) {
                all.add(new AnnouncedLimit("connections", String.valueOf(most), "for all clients together"));
            }
            return all;
        } catch (SQLException e) {
            throw unreachable(e);
        }
    }

    /** Null for an in-process database. */
    @Override
    public IdleConnection.@Nullable Port idle() {
        boolean inProcess =
                url.startsWith("jdbc:h2:") && !url.startsWith("jdbc:h2:tcp:") && !url.startsWith("jdbc:h2:ssl:");
        return inProcess ? null : this::open;
    }

    private IdleConnection open() throws IOException {
        String id = UUID.randomUUID().toString();
        Properties more = timeouts();
        if (isPostgres(url) && !url.contains("socketFactory=")) {
            more.setProperty("socketFactory", NoKeepAliveSocketFactory.class.getName());
            more.setProperty("socketFactoryArg", id);
            more.setProperty("tcpKeepAlive", "false");
        }
        Connection connection;
        try {
            connection = DriverManager.getConnection(url, more);
        } catch (SQLException e) {
            close(NoKeepAliveSocketFactory.take(id));
            throw unreachable(e);
        }
        JdbcConnection idle = new JdbcConnection(connection, NoKeepAliveSocketFactory.take(id), TEST_QUERY);
        try (Statement statement = connection.createStatement()) {
            statement.execute(TEST_QUERY);
            return idle;
        } catch (SQLException e) {
            idle.close();
            throw unreachable(e);
        }
    }

    /**
     * The PostgreSQL driver would wait forever for a server that accepts connections but does not answer. The URL
     * takes precedence.
     */
    private Properties timeouts() {
        Properties timeouts = loginTimeout(url);
        if (isPostgres(url)) {
            timeouts.setProperty("socketTimeout", TIMEOUT_SECONDS);
        }
        return timeouts;
    }

    /** The part of those timeouts that does not limit a statement. */
    static Properties loginTimeout(String url) {
        Properties timeouts = new Properties();
        if (isPostgres(url)) {
            timeouts.setProperty("loginTimeout", TIMEOUT_SECONDS);
        }
        return timeouts;
    }

    private static void close(@Nullable Socket socket) throws IOException {
        if (socket != null) {
            socket.close();
        }
    }

    private IOException unreachable(SQLException e) {
        String why = String.valueOf(e.getMessage()).replaceAll("\\s+", " ").strip();
        return new IOException(where + " cannot be reached (" + why + "); check the URL and the server", e);
    }

    @Override
    public ProbePeer.@Nullable Batches batch() {
        return batches == null
                ? null
                : new TimedBatches<>(
                        batches, JdbcBatch.MAX, () -> requests.apply(sent.getAndIncrement()), answer -> {});
    }

    @Override
    public void close() {
        loader.close();
        connections.close();
    }
}
