package dev.penstock.cli.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.jdbc.JdbcTarget;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.lab.load.ClosedLoad;
import dev.penstock.lab.measure.LoadResult;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class DirectConnectionsRealClockTest {
    private static final RealPostgres POSTGRES = RealPostgres.shared();
    private static final String ROLE = "probe_of_two";

    private static String limited = "";

    @BeforeAll
    static void aRoleOfTwoConnections() throws SQLException {
        administer("create role " + ROLE + " login connection limit 2");
        limited = POSTGRES.url().replaceFirst("user=\\w+", "user=" + ROLE);
    }

    @AfterAll
    static void drop() throws SQLException {
        administer("drop role " + ROLE);
    }

    private static void administer(String sql) throws SQLException {
        try (Connection connection = POSTGRES.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void aRefusedConnectIsAnErrorOfItsCall() throws Exception {
        try (DirectConnections connections = DirectConnections.to(limited, "test");
                JdbcTarget target = JdbcTarget.on(connections.source())
                        .statement("select 1 from pg_sleep(0.02)")
                        .build()) {
            assertThat(load(target, 2).counts().errors()).isZero();

            LoadResult tooMany = load(target, 4);
            assertThat(tooMany.counts().errors()).isPositive();
            assertThat(tooMany.counts().right()).isPositive();
            assertThat(load(target, 2).counts().errors()).isZero();
        }
        awaitNoneOpen();
    }

    private static LoadResult load(JdbcTarget target, int users) throws InterruptedException {
        return ClosedLoad.of(users, Duration.ZERO)
                .lasting(Duration.ofMillis(500))
                .run(target, number -> JdbcRequest.empty());
    }

    /** A server process ends a little after its connection. */
    private static void awaitNoneOpen() throws Exception {
        String query = "select count(*) from pg_stat_activity where usename = '" + ROLE + "'";
        while (true) {
            try (Connection connection = POSTGRES.connect();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(query)) {
                if (row.next() && row.getInt(1) == 0) {
                    return;
                }
            }
        }
    }

    @Test
    void keepsWhatIsGivenBackAndNothingThatWasAborted() throws Exception {
        try (DirectConnections connections = DirectConnections.to(POSTGRES.url(), "test")) {
            Connection first = connections.getConnection();
            int process = process(first);
            first.setAutoCommit(false);
            first.close();
            assertThat(first.isClosed()).isTrue();

            Connection again = connections.getConnection();
            assertThat(process(again)).isEqualTo(process);
            assertThat(again.getAutoCommit()).isTrue();
            again.abort(Runnable::run);
            again.close();
            assertThat(process(connections.getConnection())).isNotEqualTo(process);
        }
    }

    @Test
    void anUnusedConnectionThatDiedIsReplaced() throws Exception {
        try (DirectConnections connections = DirectConnections.checkedAfter(Duration.ZERO, POSTGRES.url())) {
            Connection first = connections.getConnection();
            int process = process(first);
            first.close();
            administer("select pg_terminate_backend(" + process + ", 10000)");

            try (Connection next = connections.getConnection()) {
                assertThat(process(next)).isNotEqualTo(process);
            }
        }
    }

    @Test
    void releasesAndClosesTheConnections() throws Exception {
        DirectConnections connections = DirectConnections.to(POSTGRES.url(), "test");
        Connection kept = connections.getConnection();
        int process = process(kept);
        kept.close();
        connections.release();
        Connection next = connections.getConnection();
        assertThat(process(next)).isNotEqualTo(process);
        connections.close();
        next.close();
        assertThatThrownBy(connections::getConnection).hasMessageContaining("closed");
    }

    private static int process(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }
}
