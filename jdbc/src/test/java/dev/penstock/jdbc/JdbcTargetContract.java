package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The behavior of a target on any database. */
abstract class JdbcTargetContract {
    abstract DataSource dataSource();

    abstract void execute(String sql) throws SQLException;

    abstract long number(String sql) throws SQLException;

    @BeforeEach
    void table() throws SQLException {
        execute("create table payment(id varchar(40) primary key, amount numeric(10,2) check (amount > 0),"
                + " paid boolean, made timestamp with time zone, ref uuid)");
    }

    JdbcTarget target(String sql) {
        return JdbcTarget.on(dataSource()).statement(sql).build();
    }

    JdbcTarget insert() {
        return target("insert into payment(id, amount) values (:id, :amount)");
    }

    static JdbcRequest payment(String id, long amount) {
        return JdbcRequest.of("id", id).with("amount", amount);
    }

    @Test
    void writesAndReadsEveryKindOfValue() throws Exception {
        UUID ref = UUID.randomUUID();
        try (var write = target("insert into payment values (:id, :amount, :paid, :made, :ref)");
                var read = target("select id as \"id\", amount as \"amount\", paid as \"paid\", ref as \"ref\""
                        + " from payment where id = :id")) {
            JdbcRequest full = payment("p'1", 0)
                    .with("amount", new BigDecimal("9.50"))
                    .with("paid", true)
                    .with("made", "2026-11-22 04:00:00+00")
                    .with("ref", ref.toString());
            assertThat(write.call(full)).isEqualTo(new JdbcAnswer.Updated(1));
            JdbcAnswer answer = read.call(JdbcRequest.of("id", "p'1"));
            assertThat(new String(answer.toJson(), StandardCharsets.UTF_8))
                    .isEqualTo("{\"rows\":[{\"id\":\"p'1\",\"amount\":9.50,\"paid\":true,\"ref\":\"" + ref + "\"}]}");
            assertThat(read.isReading()).isFalse();
            JdbcRequest empty =
                    payment("p2", 1).with("paid", null).with("made", null).with("ref", null);
            assertThat(write.call(empty)).isEqualTo(new JdbcAnswer.Updated(1));
        }
    }

    /** The statement has committed by then, so the ending must not be one that is repeated. */
    @Test
    void errorOfClosingChangesNoEnding() throws Exception {
        DataSource source = Intercepted.dataSource(dataSource(), (_, method) -> {
            if (method.equals("statement.close")) {
                throw new SQLException("cannot close", "08006");
            }
        });
        try (var target = JdbcTarget.on(source)
                .statement("insert into payment(id, amount) values (:id, :amount)")
                .build()) {
            assertThat(target.call(payment("p1", 1))).isEqualTo(new JdbcAnswer.Updated(1));
            assertThatThrownBy(() -> target.call(payment("p1", 1)))
                    .isInstanceOfSatisfying(
                            Failed.class, failed -> assertThat(failed.refusal()).isEqualTo(Failed.Refusal.CONFLICT));
            assertThat(JdbcBatchContract.words(
                            JdbcBatch.over(target).call(List.of(payment("p2", 1), payment("p1", 1), payment("p3", 1)))))
                    .containsExactly("Updated[count=1]", "failed refused", "Updated[count=1]");
        }
        assertThat(number("select count(*) from payment")).isEqualTo(3);
    }

    @Test
    void violatedConstraintIsRefusedWithItsSqlState() throws Exception {
        try (var target = insert()) {
            target.call(payment("p1", 1));
            assertThatThrownBy(() -> target.call(payment("p1", 1)))
                    .isInstanceOfSatisfying(
                            Failed.class, failed -> assertThat(failed.why()).isEqualTo(Failed.Cause.REFUSED))
                    .hasMessageContaining("SQLState 23505");
            target.call(payment("p2", 1));
        }
        assertThat(number("select count(*) from payment")).isEqualTo(2);
    }

    @Test
    void missingParameterFailsBeforeAnythingIsSent() {
        try (var target = insert()) {
            assertThatThrownBy(() -> target.call(JdbcRequest.of("id", "p1")))
                    .isInstanceOf(Failed.class)
                    .hasMessageContaining("parameter amount is missing");
        }
    }

    @Test
    void tooLargeResultFails() throws Exception {
        try (var write = insert();
                var rows = JdbcTarget.on(dataSource())
                        .statement("select id from payment")
                        .reads(true)
                        .maxRows(2)
                        .build();
                var bytes = JdbcTarget.on(dataSource())
                        .statement("select id from payment")
                        .reads(true)
                        .maxBytes(5)
                        .build()) {
            write.call(payment("p1", 1));
            write.call(payment("p2", 1));
            assertThat(((JdbcAnswer.Rows) rows.call(JdbcRequest.empty())).rows())
                    .hasSize(2);
            assertThat(((JdbcAnswer.Rows) bytes.call(JdbcRequest.empty())).rows())
                    .hasSize(2);
            write.call(payment("p3", 1));
            assertThatThrownBy(() -> rows.call(JdbcRequest.empty()))
                    .isInstanceOf(Failed.class)
                    .hasMessageContaining("maxRows");
            assertThatThrownBy(() -> bytes.call(JdbcRequest.empty()))
                    .isInstanceOf(Failed.class)
                    .hasMessageContaining("maxBytes");
        }
    }

    @Test
    void sendsNothingAfterTheDeadline() {
        try (var target = insert()) {
            assertThatThrownBy(() -> Deadline.in(Duration.ZERO).call(() -> target.call(payment("p1", 1))))
                    .isInstanceOf(Rejected.class);
        }
    }

    /** Far longer than the deadline of a call: a call that takes this long hangs. */
    static final Duration HELD = Duration.ofSeconds(60);

    /** Enough time to send a statement on a busy machine. */
    static final Duration SHORT = Duration.ofSeconds(1);

    /** The ending of a call with this deadline. */
    static Unanswered endingWithin(Duration time, JdbcTarget target, JdbcRequest request) {
        long start = System.nanoTime();
        try {
            Deadline.in(time).call(() -> target.call(request));
        } catch (Unanswered ending) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(time.plus(HELD));
            return ending;
        } catch (Exception other) {
            throw new AssertionError(other);
        }
        throw new AssertionError("it was answered");
    }
}
