package dev.penstock.jdbc.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.jdbc.kit.MariaDb;
import dev.penstock.kit.program.NeedsProgram;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What differs with MariaDB: its driver aborts by a command to the server, and its errors have states of other meanings. */
@Timeout(300)
@NeedsProgram("mariadbd")
class GuardedDataSourceMariaDbTest {
    private static MariaDb database = MariaDb.start();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final GuardedDataSource source =
            GuardedDataSource.at(database.url()).max(1).build();

    @AfterAll
    static void stop() throws Exception {
        database.close();
    }

    @AfterEach
    void close() {
        source.close();
        threads.close();
    }

    private static long number(Connection connection, String query, int column) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(column);
        }
    }

    /** The number of a session is unique at one server only: after a failover it may belong to anybody. */
    @Test
    void anAbortKillsNoSessionByItsNumber() throws Exception {
        try (Connection admin = database.connect()) {
            for (int i = 0; i < 5; i++) {
                Connection connection = source.getConnection();
                String query = "select sleep(60 + " + i + ")";
                Future<Boolean> hanging =
                        threads.submit(() -> connection.createStatement().execute(query));
                while (number(
                                admin,
                                "select count(*) from information_schema.processlist where info = '" + query + "'",
                                1)
                        == 0) {
                    Thread.onSpinWait();
                }
                connection.abort(Runnable::run);
                assertThatThrownBy(hanging::get).hasCauseInstanceOf(SQLException.class);
                connection.close();
            }
            assertThat(number(admin, "show global status like 'Com_kill'", 2)).isZero();
        }
        assertThat(source.report().leased()).isZero();
    }

    /** The SQLState is that of wrong SQL and of missing permissions, which repeat. */
    @Test
    void waitsWhileItsUserHasTooManyConnections() throws Exception {
        try (Connection admin = database.connect();
                Statement statement = admin.createStatement()) {
            statement.execute("create user few with max_user_connections 1");
            statement.execute("grant all on penstock.* to few");
        }
        String url = database.url().replace("user=root", "user=few");
        try (GuardedDataSource limited = GuardedDataSource.at(url).max(1).build()) {
            Future<Connection> waiting;
            try (Connection only = DriverManager.getConnection(url)) {
                assertThat(only.isValid(60)).isTrue();
                waiting = threads.submit(() -> limited.getConnection(Duration.ofMinutes(1)));
                while (!waiting.isDone() && limited.report().lastFailure().isEmpty()) {
                    Thread.onSpinWait();
                }
                assertThat(limited.report().lastFailure()).contains("max_user_connections");
            }
            waiting.get().close();
        }
    }
}
