package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.Failed;
import dev.penstock.jdbc.JdbcTargetRealClockTest.H2;
import dev.penstock.jdbc.kit.MariaDb;
import dev.penstock.kit.program.NeedsProgram;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
@NeedsProgram("mariadbd")
class JdbcBatchMariaDbTest extends JdbcBatchContract {
    private static MariaDb database = MariaDb.start();

    /** With bulk statements, its default, the driver reports no counts of inserts. */
    private HikariDataSource pool = pool("&useBulkStmtsForInserts=false");

    @BeforeAll
    static void packet() throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute("set global max_allowed_packet = 1048576");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        database.close();
    }

    private static HikariDataSource pool(String more) {
        HikariDataSource made = new HikariDataSource();
        made.setJdbcUrl(database.url() + more);
        made.setMaximumPoolSize(4);
        return made;
    }

    @AfterEach
    void drop() throws SQLException {
        execute("drop table payment");
        pool.close();
    }

    @Override
    DataSource dataSource() {
        return pool;
    }

    @Override
    void execute(String sql) throws SQLException {
        H2.execute(pool, sql);
    }

    @Override
    long number(String sql) throws SQLException {
        return H2.number(pool, sql);
    }

    /** The driver sends a batch as one packet, or as one for each row, or all rows as one statement. */
    @ParameterizedTest
    @ValueSource(strings = {"", "&useBulkStmts=false&useBulkStmtsForInserts=false", "&useServerPrepStmts=true"})
    void splitsWhatExceedsTheMaximumPacket(String options) throws Exception {
        pool.close();
        pool = pool(options);
        execute("alter table payment add note mediumtext");
        List<JdbcRequest> requests = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int id = 0; id < 40; id++) {
            boolean tooLarge = id == 17;
            requests.add(payment(id, id == 30 ? -1 : 1).with("note", "it's \\".repeat(tooLarge ? 200_000 : 20_000)));
            expected.add(tooLarge || id == 30 ? "failed refused" : "Updated");
        }
        try (var writes = batch("insert into payment(id, amount, note) values (:id, :amount, :note)");
                var alone = JdbcTarget.on(pool)
                        .statement("insert into payment(id, amount, note) values (:id, :amount, :note)")
                        .build()) {
            assertThat(words(writes.call(requests)).stream()
                            .map(word -> word.replaceAll("\\[count=(1|-1)]", ""))
                            .toList())
                    .isEqualTo(expected);
            assertThat(refused(alone, requests.get(17)).refusal()).isEqualTo(Failed.Refusal.VALUE);
        }
        assertThat(number("select count(*) from payment where length(note) = 120000"))
                .isEqualTo(38);
    }

    @Test
    void refusesNumberThatWouldBeRounded() throws Exception {
        execute("alter table payment add exact decimal(65,30)");
        try (var writes = batch("insert into payment(id, amount, exact) values (:id, 1, :exact)");
                var alone = JdbcTarget.on(pool)
                        .statement("insert into payment(id, amount, exact) values (:id, 1, :exact)")
                        .build()) {
            JdbcRequest exact = JdbcRequest.of("id", 1).with("exact", new BigDecimal("1e-30"));
            JdbcRequest longer = JdbcRequest.of("id", 2).with("exact", new BigDecimal("1e-31"));
            JdbcRequest larger = JdbcRequest.of("id", 3).with("exact", new BigDecimal("1e65"));
            assertThat(words(writes.call(List.of(exact, longer, larger))))
                    .containsExactly("Updated[count=1]", "failed refused", "failed refused");
            assertThat(refused(alone, longer)).hasMessageContaining("parameter exact is a number with 31 digits");
        }
        assertThat(number("select exact * 1e30 from payment")).isEqualTo(1);
    }

    @Test
    void deadlockIsRolledBack() throws Exception {
        execute("insert into payment(id, amount) select seq, 1 from seq_1_to_40");
        try (Connection other = dataSource().getConnection();
                var target = JdbcTarget.on(pool)
                        .statement("update payment set amount = 2 where id in (1, 2) order by id")
                        .build()) {
            other.setAutoCommit(false);
            // The server rolls back the transaction that has changed less.
            other.createStatement().execute("update payment set amount = 3 where id > 1");
            Thread crossing = Thread.ofVirtual().start(() -> cross(other));
            assertThatThrownBy(() -> target.call(JdbcRequest.empty()))
                    .isInstanceOfSatisfying(
                            Failed.class, failed -> assertThat(failed.why()).isEqualTo(Failed.Cause.ROLLED_BACK))
                    .hasMessageContaining("send it again (retry)");
            crossing.join();
        }
    }

    /** Updates the row that the target has locked, once the target waits for ours: a deadlock. */
    private void cross(Connection other) {
        try {
            while (number("select count(*) from information_schema.innodb_trx where trx_state = 'LOCK WAIT'") == 0) {
                LockSupport.parkNanos(200_000_000); // the table is only renewed when nobody has read it for 100 ms
            }
            other.createStatement().execute("update payment set amount = 3 where id = 1");
            other.rollback();
        } catch (SQLException gone) {
            throw new AssertionError(gone);
        }
    }

    private static Failed refused(JdbcTarget target, JdbcRequest request) throws Exception {
        try {
            throw new AssertionError("stored: " + target.call(request));
        } catch (Failed failed) {
            assertThat(failed.why()).isEqualTo(Failed.Cause.REFUSED);
            return failed;
        }
    }
}
