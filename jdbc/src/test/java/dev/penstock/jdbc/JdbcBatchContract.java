package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Answered;
import dev.penstock.BatchEndings;
import dev.penstock.Deadline;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.flow.Flow;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The behavior of a batch on any database. */
abstract class JdbcBatchContract {
    abstract DataSource dataSource();

    abstract void execute(String sql) throws SQLException;

    abstract long number(String sql) throws SQLException;

    @BeforeEach
    void table() throws SQLException {
        execute("create table payment(id bigint primary key, amount bigint check (amount > 0))");
    }

    JdbcBatch batch(String sql) {
        return JdbcBatch.over(JdbcTarget.on(dataSource()).statement(sql).build());
    }

    JdbcBatch inserts() {
        return batch("insert into payment(id, amount) values (:id, :amount)");
    }

    static JdbcRequest payment(long id, long amount) {
        return JdbcRequest.of("id", id).with("amount", amount);
    }

    static List<String> words(BatchEndings<?> endings) {
        return IntStream.range(0, endings.size())
                .mapToObj(place -> word(endings.get(place)))
                .toList();
    }

    private static String word(Ending ending) {
        return switch (ending) {
            case Answered<?> answered -> answered.answer().toString();
            case Unanswered other -> other.ending() + " " + other.causeName();
        };
    }

    @Test
    void everyRequestGetsItsOwnUpdateCount() throws Exception {
        try (var writes = inserts();
                var changes = batch("update payment set amount = amount + 1 where id >= :id")) {
            assertThat(words(writes.call(List.of(payment(1, 1), payment(2, 1), payment(3, 1)))))
                    .containsOnly("Updated[count=1]");
            assertThat(words(changes.call(
                            List.of(JdbcRequest.of("id", 2), JdbcRequest.of("id", 9), JdbcRequest.of("id", 1)))))
                    .containsExactly("Updated[count=2]", "Updated[count=0]", "Updated[count=3]");
        }
        assertThat(number("select sum(amount) from payment")).isEqualTo(8);
    }

    @Test
    void refusedRequestDoesNotFailTheOthers() throws Exception {
        try (var writes = inserts()) {
            List<JdbcRequest> requests = new ArrayList<>();
            Random random = new Random(7);
            List<String> expected = new ArrayList<>();
            for (int id = 0; id < 60; id++) {
                boolean bad = random.nextInt(5) == 0;
                requests.add(payment(id, bad ? -1 : 1));
                expected.add(bad ? "failed refused" : "Updated[count=1]");
            }
            requests.add(JdbcRequest.of("id", 99));
            expected.add("failed refused");
            requests.add(payment(0, 1));
            expected.add(expected.getFirst().equals("failed refused") ? "Updated[count=1]" : "failed refused");
            assertThat(words(writes.call(requests))).isEqualTo(expected);
            assertThat(number("select count(*) from payment"))
                    .isEqualTo(
                            expected.stream().filter("Updated[count=1]"::equals).count());
            assertThat(words(writes.call(List.of(payment(100, -1), payment(101, -1)))))
                    .containsOnly("failed refused");
            assertThat(words(writes.call(List.of(payment(100, 1), payment(101, 1)))))
                    .containsOnly("Updated[count=1]");
        }
    }

    @Test
    void sendsNothingAfterTheDeadline() {
        try (var writes = inserts()) {
            assertThatThrownBy(() ->
                            Deadline.in(Duration.ZERO).call(() -> writes.call(List.of(payment(1, 1), payment(2, 1)))))
                    .isInstanceOf(Rejected.class);
        }
    }

    @Test
    void statementThatReadsIsNotBatched() {
        assertThatThrownBy(() -> JdbcBatch.over(JdbcTarget.on(dataSource())
                        .statement("select 1")
                        .reads(true)
                        .build()))
                .hasMessageContaining("JdbcLookup");
        assertThatThrownBy(() -> inserts().key("nobody")).hasMessageContaining("nobody");
    }

    @Test
    void everyCallerOfAFlowGetsItsOwnAnswer() throws Exception {
        try (var writes = inserts();
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Flow<JdbcRequest, JdbcAnswer> flow = Flow.named("payments")
                    .deadline(Duration.ofSeconds(60))
                    .concurrency(4)
                    .to(writes.collapse());
            CountDownLatch start = new CountDownLatch(1);
            List<Future<JdbcAnswer>> answers = new ArrayList<>();
            for (int id = 0; id < 300; id++) {
                JdbcRequest request = payment(id, id % 10 == 3 ? -1 : 1);
                answers.add(callers.submit(() -> {
                    start.await();
                    return flow.call(request);
                }));
            }
            start.countDown();
            int good = 0;
            for (Future<JdbcAnswer> answer : answers) {
                try {
                    assertThat(answer.get()).isEqualTo(new JdbcAnswer.Updated(1));
                    good++;
                } catch (java.util.concurrent.ExecutionException refused) {
                    assertThat(refused.getCause()).isInstanceOf(Failed.class);
                }
            }
            assertThat(good).isEqualTo(270);
            assertThat(number("select count(*) from payment")).isEqualTo(270);
        }
    }

    /** Each update requires the value of the previous one, so a request that overtakes another changes no row. */
    @Test
    void requestsWithOneKeyKeepTheirOrder() throws Exception {
        execute("insert into payment values (1, 1)");
        execute("insert into payment values (2, 1)");
        try (var steps = batch("update payment set amount = :next where id = :id and amount = :next - 1")
                        .key("id");
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<BatchEndings<JdbcAnswer>>> batches = new ArrayList<>();
            for (int step = 2; step <= 60; step += 2) {
                List<JdbcRequest> requests = new ArrayList<>();
                for (int id = 1; id <= 2; id++) {
                    requests.add(JdbcRequest.of("id", id).with("next", step));
                    requests.add(JdbcRequest.of("id", id).with("next", step + 1));
                }
                CountDownLatch entered = new CountDownLatch(1);
                batches.add(callers.submit(() -> {
                    entered.countDown();
                    return steps.call(requests);
                }));
                entered.await();
                awaitEntered(steps, batches.size());
            }
            for (Future<BatchEndings<JdbcAnswer>> batch : batches) {
                assertThat(words(batch.get())).containsOnly("Updated[count=1]");
            }
        }
        assertThat(number("select min(amount) from payment")).isEqualTo(61);
    }

    private static void awaitEntered(JdbcBatch batch, int count) {
        while (batch.entered() < count) {
            Thread.onSpinWait();
        }
    }
}
