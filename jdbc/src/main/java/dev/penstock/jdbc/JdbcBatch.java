package dev.penstock.jdbc;

import dev.penstock.Rejected;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Target;
import dev.penstock.Unanswered;
import dev.penstock.collapse.Collapse;
import dev.penstock.collapse.BatchEndings;
import dev.penstock.collapse.KeyGate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries the writes of many transactions by one batch and one commit (group commit). Each still has its own ending, and its
 * own count of rows; one that the database refuses takes no other down.
 *
 * <pre>{@code
 * var target = JdbcTarget.on(dataSource)
 *         .statement("insert into payment(id, amount) values (:id, :amount)")
 *         .build();
 * Flow<JdbcRequest, JdbcAnswer> payments = Flow.named("payments")
 *         .deadline(Duration.ofSeconds(2))
 *         .limit(1, JdbcBatch.AT_ONCE)
 *         .to(JdbcBatch.over(target).key("id").collapse());
 * }</pre>
 *
 * <h2>How they end</h2>
 *
 * <p>As {@link JdbcTarget} says, but that a connection which ends before the commit was sent is known to have kept nothing:
 * those requests are {@link dev.penstock.Failed}, cause {@code ROLLED_BACK}, and may be repeated. One that ends between the
 * commit and its answer leaves them all {@link dev.penstock.Unknown}. A tenth of the time left, 50 ms at most, is kept back
 * for a cancel, so that callers hear in time that they were undone.
 *
 * <h2>Order</h2>
 *
 * <p>A batch keeps the order of its requests. Batches run at the same time, and so may overtake each other, unless a {@link
 * #key} says which belong together.
 *
 * <p>Each method gives a changed copy over the same target. Safe for many threads.
 */
public final class JdbcBatch implements Target<List<JdbcRequest>, BatchEndings<JdbcAnswer>> {
    /** How many requests a batch has at most, by default: a commit costs the same for all, and rows cost little. */
    public static final int MAX = 500;

    /**
     * How many batches are worth having at a database at once, for {@code limit(1, AT_ONCE)}: a database writes one log, and
     * commits that come together share a flush; more of them at once only make each batch smaller.
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
     * Batches of a target's statement.
     *
     * @param target closed with this
     * @throws IllegalArgumentException the statement answers with rows, which a batch cannot
     */
    public static JdbcBatch over(JdbcTarget target) {
        if (target.isReading() || target.statement().text().words().contains("returning")) {
            throw new IllegalArgumentException("a batch writes, and tells how many rows each request took: "
                    + "for a statement that answers with rows, look up by key (JdbcLookup), or do not collapse");
        }
        return new JdbcBatch(target, null);
    }

    /**
     * Keeps the order of requests that have the same value of a parameter: a batch waits for an earlier one that is still
     * out and has such a value too. Default: batches wait for none.
     *
     * @param parameter its name
     * @throws IllegalArgumentException when the statement has no such parameter
     */
    public JdbcBatch key(String parameter) {
        if (!target.parameters().contains(parameter)) {
            throw new IllegalArgumentException(
                    "the statement has no parameter " + parameter + ": it has " + target.parameters());
        }
        return new JdbcBatch(target, parameter);
    }

    /** Collapses into these batches, each of {@value #MAX} requests at most unless told otherwise. */
    public Collapse<JdbcRequest, JdbcAnswer> collapse() {
        // Who is to blame is found out here, within one transaction.
        return Collapse.intoEndings(this).whole().max(MAX);
    }

    /**
     * Runs a batch.
     *
     * @return an ending for each request
     * @throws Rejected nothing was sent: {@code DEADLINE}, the time was up first; {@code POOL}, no connection came free
     * @throws dev.penstock.Failed cause {@code CONNECT}, there is no connection to the database
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
        try (KeyGate.Pass pass = gate.enter(keys)) {
            if (!pass.await(target.session().left())) {
                throw new Rejected(
                        Rejected.Cause.DEADLINE, "the time was up before an earlier batch with the same key was back");
            }
            return run(requests);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new Rejected(Rejected.Cause.QUEUE, "interrupted before an earlier batch with the same key was back");
        }
    }

    private BatchEndings<JdbcAnswer> run(List<JdbcRequest> requests) throws Unanswered {
        NamedStatement statement = target.statement();
        if (requests.size() == 1 || statement.runsAlone()) {
            return runEach(requests);
        }
        return target.session()
                .callForOthers((connection, watch) -> new GroupCommit(statement, connection, watch, requests).run());
    }

    private BatchEndings<JdbcAnswer> runEach(List<JdbcRequest> requests) {
        BatchEndings.Builder<JdbcAnswer> endings = BatchEndings.ofSize(requests.size());
        for (int place = 0; place < requests.size(); place++) {
            try {
                endings.answered(place, target.call(requests.get(place)));
            } catch (Unanswered ending) {
                endings.ended(place, ending);
            }
        }
        return endings.build();
    }

    /** How many batches have come, if there is a key. */
    long entered() {
        return gate.entered();
    }

    @Override
    public String where() {
        return target.where();
    }

    @Override
    public List<Setting> settings() {
        List<Setting> all = new ArrayList<>(target.settings());
        all.add(new Setting(
                "collapse.key",
                key == null ? "none" : key,
                "a parameter",
                "requests of one value of it keep their order from batch to batch",
                since,
                key == null ? Origin.DEFAULT : Origin.FILE));
        if (target.statement().runsAlone()) {
            all.add(new Setting(
                    "collapse.commit",
                    "each",
                    "all, each",
                    "the pooler in front of the database allows no transaction of several statements: run it in transaction"
                            + " mode",
                    since,
                    Origin.LEARNED));
        }
        return List.copyOf(all);
    }

    @Override
    public Map<String, Long> connections() {
        return target.connections();
    }

    @Override
    public void close() {
        target.close();
    }

    @Override
    public String toString() {
        return "batches of " + target;
    }
}
