package dev.penstock.jdbc;

import dev.penstock.BatchEndings;
import dev.penstock.Collapse;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Target;
import dev.penstock.Unanswered;
import dev.penstock.collapse.KeyGate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Executes the writes of many transactions in one batch and one commit (group commit). Each transaction still has its
 * own ending; a row that the database refuses does not affect the others. Each also has its own row count, unless the
 * driver rewrites batches as one statement ({@code reWriteBatchedInserts} of PostgreSQL's), which is several times as
 * fast and reports none.
 *
 * <pre>{@code
 * var target = JdbcTarget.on(dataSource)
 *         .statement("insert into payment(id, amount) values (:id, :amount)")
 *         .build();
 * Flow<JdbcRequest, JdbcAnswer> payments = Flow.named("payments")
 *         .deadline(Duration.ofSeconds(2))
 *         .adaptiveConcurrency(1, JdbcBatch.AT_ONCE)
 *         .to(JdbcBatch.over(target).key("id").collapse());
 * }</pre>
 *
 * <h2>Endings</h2>
 *
 * <p>As for {@link JdbcTarget}, with one difference. If the connection is lost before the commit was sent, nothing was
 * committed: those requests are {@link dev.penstock.Failed} with cause {@code ROLLED_BACK}, and may be retried. If it
 * is lost between the commit and its answer, all are {@link dev.penstock.Unknown}. A tenth of the remaining time, at
 * most 50 ms, is reserved for a cancel request, so that callers learn before their deadline that their request was
 * rolled back.
 *
 * <h2>Order</h2>
 *
 * <p>Requests keep their order within a batch. Batches run concurrently and may overtake each other, unless {@link
 * #key} names a parameter whose equal values keep their order.
 *
 * <p>Each method returns a changed copy over the same target. Thread-safe.
 */
public final class JdbcBatch implements Target.Converting<List<JdbcRequest>, BatchEndings<JdbcAnswer>> {
    /**
     * The default maximum number of requests in a batch: a commit costs the same for any number of rows, and rows are
     * cheap.
     */
    public static final int MAX = 500;

    /**
     * The recommended maximum number of concurrent batches, for {@code adaptiveConcurrency(1, AT_ONCE)}. A database writes one log,
     * and concurrent commits share a flush; more batches would only be smaller.
     */
    public static final int AT_ONCE = 4;

    private final JdbcTarget target;
    private final @Nullable String key;
    private final KeyGate gate = new KeyGate();
    private final Instant since = Instant.now();

    private JdbcBatch(JdbcTarget target, @Nullable String key) {
        this.target = target;
        this.key = key;
    }

    /**
     * Batches the statement of a target.
     *
     * @param target closed with this batch
     * @throws IllegalArgumentException when the statement only reads
     */
    public static JdbcBatch over(JdbcTarget target) {
        if (target.isReading()) {
            throw new IllegalArgumentException(
                    "a batch reports only row counts, and this statement reads rows: name the"
                            + " column with the key (collapse: { lookup: COLUMN }, in Java JdbcLookup), or do not collapse");
        }
        return new JdbcBatch(target, null);
    }

    /**
     * Keeps the order of requests that have the same value of a parameter: a batch waits for an earlier batch in flight
     * that contains one of its values. Default: batches do not wait for each other.
     *
     * @param parameter its name, without the colon
     * @throws IllegalArgumentException when the statement has no such parameter
     */
    public JdbcBatch key(String parameter) {
        if (!target.parameters().contains(parameter)) {
            throw new IllegalArgumentException(
                    "the statement has no parameter " + parameter + "; its parameters are " + target.parameters());
        }
        return new JdbcBatch(target, parameter);
    }

    /** A collapse stage over this target, with at most {@value #MAX} requests in a batch by default. */
    public Collapse<JdbcRequest, JdbcAnswer> collapse() {
        // GroupCommit isolates refused requests itself, so the stage must not split batches.
        return Collapse.intoEndings(this).whole().max(MAX);
    }

    /**
     * Executes a batch.
     *
     * @return an ending for each request
     * @throws dev.penstock.Rejected nothing was sent: {@code DEADLINE}, the deadline was exceeded; {@code POOL}, no connection was
     *     available in time; {@code QUEUE}, interrupted while waiting for an earlier batch with the same key
     * @throws dev.penstock.Failed with cause {@code CONNECT} when there is no connection to the database
     */
    @Override
    public BatchEndings<JdbcAnswer> call(List<JdbcRequest> requests) throws Unanswered {
        if (requests.isEmpty()) {
            return BatchEndings.answered(List.of());
        }
        String by = key;
        if (by == null) {
            return run(requests);
        }
        List<@Nullable Object> keys = new ArrayList<>();
        requests.forEach(request -> keys.add(request.value(by)));
        return gate.inTurn(
                keys, target.session().nanosLeft(), "an earlier batch with the same key", () -> run(requests));
    }

    private BatchEndings<JdbcAnswer> run(List<JdbcRequest> requests) throws Unanswered {
        NamedStatement statement = target.statement();
        if (requests.size() > 1) {
            statement.describe(target.session());
        }
        if (requests.size() == 1 || statement.runsAlone() != null) {
            return runEach(requests);
        }
        return target.session()
                .callForBatch((connection, timeout) -> new GroupCommit(statement, connection, timeout, requests).run());
    }

    private BatchEndings<JdbcAnswer> runEach(List<JdbcRequest> requests) {
        BatchEndings.Builder<JdbcAnswer> endings = BatchEndings.ofSize(requests.size());
        for (int index = 0; index < requests.size(); index++) {
            try {
                endings.answered(index, target.call(requests.get(index)));
            } catch (Unanswered ending) {
                endings.ended(index, ending);
            }
        }
        return endings.build();
    }

    /** The number of batches so far, if there is a key. */
    long entered() {
        return gate.entered();
    }

    @Override
    public JdbcTarget target() {
        return target;
    }

    @Override
    public List<Setting> settings() {
        List<Setting> all = new ArrayList<>(target.settings());
        all.add(new Setting(
                "collapse.key",
                key == null ? "none" : key,
                "a parameter",
                "requests with the same value of this parameter keep their order across batches",
                since,
                key == null ? Origin.DEFAULT : Origin.GIVEN));
        String alone = target.statement().runsAlone();
        if (alone != null) {
            all.add(new Setting("collapse.commit", "each", "all, each", alone, since, Origin.LEARNED));
        }
        return List.copyOf(all);
    }

    @Override
    public String toString() {
        return "batches of " + target;
    }
}
