package dev.penstock.races.survive;

import dev.penstock.jdbc.JdbcAnswer;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.jdbc.JdbcTarget;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.kit.RealPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A flow that inserts rows into PostgreSQL. A row exists once its transaction is committed. */
final class JdbcSubject extends FlowUnderTest {
    private static final String ID = "id";
    private static final int CONNECTIONS = 4;
    /** About the bytes from opening a connection to the end of the first transaction on it. */
    private static final int REQUEST_BYTES = 700;

    private static final int ANSWER_BYTES = 700;
    private static final long POLL_NANOS = 1_000_000;
    private static final AtomicInteger OPENED = new AtomicInteger();
    private static final PeerPool<RealPostgres> DATABASES = new PeerPool<>(RealPostgres::start);

    private final RealPostgres database;
    private final String name;

    private JdbcSubject(
            PeerPool.LeasedPeer<RealPostgres> peer,
            String name,
            EmbeddedFlow<JdbcRequest, JdbcAnswer> flow,
            TcpPath path) {
        super(flow, path, peer);
        this.database = peer.server();
        this.name = name;
    }

    static SystemUnderTest open(FaultPlan schedule) throws IOException {
        return open(schedule, "");
    }

    /**
     * Opens a system whose JDBC URL has additional options.
     *
     * @param options appended to the JDBC URL
     */
    static SystemUnderTest open(FaultPlan schedule, String options) throws IOException {
        PeerPool.LeasedPeer<RealPostgres> peer = DATABASES.take();
        RealPostgres database = peer.server();
        String name = "survive_" + OPENED.incrementAndGet();
        execute(database, "create table %s (id text not null, payload text not null)".formatted(name));
        TcpPath path = new TcpPath(database.port(), REQUEST_BYTES + schedule.size(), ANSWER_BYTES);
        String url =
                database.url().replace(":" + database.port(), ":" + path.port()) + "&ApplicationName=" + name + options;
        String payload = "x".repeat(schedule.size());
        EmbeddedFlow.Shape<JdbcRequest, JdbcAnswer> shape = new EmbeddedFlow.Shape<>(
                JdbcAnswer.class,
                id -> JdbcRequest.of(ID, id).with("payload", payload),
                request -> String.valueOf(request.value(ID)),
                JdbcSubject::idIn,
                id -> new JdbcAnswer.Rows(List.of(ID), List.of(List.of(id))));
        JdbcTarget target = JdbcTarget.on(
                        GuardedDataSource.at(url).max(CONNECTIONS).build())
                .statement("insert into %s (id, payload) values (:id, :payload) returning id".formatted(name))
                .closesDataSource()
                .build();
        return new JdbcSubject(peer, name, new EmbeddedFlow<>(schedule, shape, target), path);
    }

    private static String idIn(JdbcAnswer answer) {
        return answer instanceof JdbcAnswer.Rows rows ? String.valueOf(rows.value(0, ID)) : String.valueOf(answer);
    }

    @Override
    public Map<String, Integer> received() throws SQLException {
        closeFlow();
        Map<String, Integer> received = new HashMap<>();
        try (Connection connection = database.connect()) {
            awaitNoSession(connection);
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("select id, count(*) from " + name + " group by id")) {
                while (rows.next()) {
                    received.put(rows.getString(1), rows.getInt(2));
                }
            }
        }
        execute(database, "drop table " + name);
        return received;
    }

    /** Waits until the flow's sessions have ended: a session that lost its connection may still commit. */
    private void awaitNoSession(Connection connection) throws SQLException {
        try (PreparedStatement sessions =
                connection.prepareStatement("select count(*) from pg_stat_activity where application_name = ?")) {
            sessions.setString(1, name);
            while (true) {
                try (ResultSet count = sessions.executeQuery()) {
                    if (count.next() && count.getInt(1) == 0) {
                        return;
                    }
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    private static void execute(RealPostgres database, String sql) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot run a statement in the test database: " + e.getMessage(), e);
        }
    }
}
