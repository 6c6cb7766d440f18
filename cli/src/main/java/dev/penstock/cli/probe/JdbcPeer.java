package dev.penstock.cli.probe;

import dev.penstock.jdbc.JdbcAnswer;
import dev.penstock.jdbc.JdbcBatch;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.probe.AnnouncedLimit;
import dev.penstock.lab.probe.BatchPort;
import dev.penstock.lab.probe.IdleConnection;
import dev.penstock.lab.probe.IdlePort;
import dev.penstock.lab.probe.ProbePeer;
import java.io.IOException;
import java.net.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** A database: loaded as any target is, and left alone over connections of its driver. */
public final class JdbcPeer implements ProbePeer {
    /** What runs on connections that are left alone: it leaves nothing behind. */
    private static final String LOOK = "select 1";

    private static final String PATIENCE_SECONDS = "10";

    private final String url;
    private final String where;
    private final LoadSender loader;
    private final @Nullable JdbcBatch batches;
    private final LongFunction<JdbcRequest> requests;
    private final AtomicLong sent = new AtomicLong();

    /**
     * A peer by its URL.
     *
     * @param where the URL without secrets
     * @param loader runs statements there; closed with this
     * @param requests makes a request from its number
     * @param batches runs many of them in one commit; null for none
     */
    public JdbcPeer(
            String url, String where, LoadSender loader, LongFunction<JdbcRequest> requests, @Nullable JdbcBatch batches) {
        this.url = url;
        this.where = where;
        this.loader = loader;
        this.requests = requests;
        this.batches = batches;
    }

    @Override
    public String where() {
        return where;
    }

    @Override
    public LoadResult run(Load<?> load) throws InterruptedException {
        return loader.run(load);
    }

    private boolean isPostgres() {
        return url.startsWith("jdbc:postgresql:");
    }

    @Override
    public List<AnnouncedLimit> announced() throws IOException {
        try (Connection connection = DriverManager.getConnection(url, bounds())) {
            if (isPostgres()) {
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
                all.add(new AnnouncedLimit(
                        "connections", String.valueOf(most), "all clients together have no more than that"));
            }
            return all;
        } catch (SQLException e) {
            throw unreachable(e);
        }
    }

    /** Null for a database in this process. */
    @Override
    public @Nullable IdlePort idle() {
        boolean here = url.startsWith("jdbc:h2:") && !url.startsWith("jdbc:h2:tcp:") && !url.startsWith("jdbc:h2:ssl:");
        return here ? null : this::open;
    }

    private IdleConnection open() throws IOException {
        String word = UUID.randomUUID().toString();
        Properties more = bounds();
        if (isPostgres() && !url.contains("socketFactory=")) {
            more.setProperty("socketFactory", NoKeepAliveSocketFactory.class.getName());
            more.setProperty("socketFactoryArg", word);
            more.setProperty("tcpKeepAlive", "false");
        }
        Connection connection;
        try {
            connection = DriverManager.getConnection(url, more);
        } catch (SQLException e) {
            close(NoKeepAliveSocketFactory.taken(word));
            throw unreachable(e);
        }
        JdbcConnection idle = new JdbcConnection(connection, NoKeepAliveSocketFactory.taken(word), LOOK);
        try (Statement statement = connection.createStatement()) {
            statement.execute(LOOK);
            return idle;
        } catch (SQLException e) {
            idle.close();
            throw unreachable(e);
        }
    }

    /** PostgreSQL's driver would wait without end for a server that takes connections and says nothing; the URL comes first. */
    private Properties bounds() {
        Properties bounds = new Properties();
        if (isPostgres()) {
            bounds.setProperty("loginTimeout", PATIENCE_SECONDS);
            bounds.setProperty("socketTimeout", PATIENCE_SECONDS);
        }
        return bounds;
    }

    private static void close(@Nullable Socket socket) throws IOException {
        if (socket != null) {
            socket.close();
        }
    }

    private IOException unreachable(SQLException e) {
        String why = String.valueOf(e.getMessage()).replaceAll("\\s+", " ").strip();
        return new IOException(where + " gives no connection (" + why + "): see whether it can be reached so", e);
    }

    @Override
    public @Nullable BatchPort batch() {
        JdbcBatch batch = batches;
        if (batch == null) {
            return null;
        }
        return new BatchPort() {
            @Override
            public int most() {
                return JdbcBatch.MAX;
            }

            @Override
            public Duration call(int items) throws Exception {
                List<JdbcRequest> together = new ArrayList<>();
                for (int i = 0; i < items; i++) {
                    together.add(requests.apply(sent.getAndIncrement()));
                }
                return BatchTimer.timed(batch, together, (JdbcAnswer answer) -> {});
            }
        };
    }

    @Override
    public void close() {
        loader.close();
    }
}
