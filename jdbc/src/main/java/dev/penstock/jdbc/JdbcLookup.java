package dev.penstock.jdbc;

import dev.penstock.BatchEndings;
import dev.penstock.Collapse;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Target;
import dev.penstock.Unanswered;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Combines the lookups of many transactions, each by one key, into one query for all keys.
 *
 * <pre>{@code
 * var target = JdbcTarget.on(dataSource)
 *         .statement("select id, name from customer where id in (:id)")
 *         .reads(true)
 *         .build();
 * Flow<JdbcRequest, JdbcAnswer> customers = Flow.named("customers").to(JdbcLookup.over(target, "id").collapse());
 * }</pre>
 *
 * <p>The statement asks for a list of keys, of which a single request has one, and its rows are assigned to requests by
 * a column. What it returns for one key must not depend on the other keys, as it would with {@code limit} or {@code
 * group by}. A key without a row is answered with no rows. Since the query only reads, its outcome is never unknown: a
 * lost one may be retried.
 *
 * <p>Thread-safe.
 */
public final class JdbcLookup implements Target.Converting<List<JdbcRequest>, BatchEndings<JdbcAnswer>> {
    private final JdbcTarget target;
    private final String column;
    private final Instant since = Instant.now();

    private JdbcLookup(JdbcTarget target, String column) {
        this.target = target;
        this.column = column;
    }

    /**
     * Looks up by the parameter of a target's statement.
     *
     * @param target closed with this lookup
     * @param column the column of the result that contains the key, case-insensitive
     * @throws IllegalArgumentException when the statement does not ask for a list, or may write; the message has one
     *     line and gives the reason
     */
    public static JdbcLookup over(JdbcTarget target, String column) {
        if (!target.isReading()) {
            throw new IllegalArgumentException(
                    "a lookup only reads: if the statement has no effect, declare it (reads: true, in Java reads(true))");
        }
        if (!target.statement().text().hasList()) {
            throw new IllegalArgumentException(
                    "a lookup has one parameter, a list of keys: write select id, ... from ... where id in (:id)");
        }
        return new JdbcLookup(target, column);
    }

    /** A collapse stage over this target. Requests with the same key share one lookup. */
    public Collapse<JdbcRequest, JdbcAnswer> collapse() {
        return Collapse.intoEndings(this).whole();
    }

    /**
     * Queries all keys.
     *
     * @return an ending for each request: its rows, possibly none
     * @throws Unanswered as for {@link JdbcTarget#call}, but never {@link dev.penstock.Unknown}
     */
    @Override
    public BatchEndings<JdbcAnswer> call(List<JdbcRequest> requests) throws Unanswered {
        if (requests.isEmpty()) {
            return BatchEndings.answered(List.of());
        }
        return target.session()
                .callForBatch((connection, timeout) ->
                        new MultiKeyQuery(target.statement(), column, connection, timeout, requests).run());
    }

    @Override
    public JdbcTarget target() {
        return target;
    }

    @Override
    public List<Setting> settings() {
        List<Setting> all = new ArrayList<>(target.settings());
        all.add(new Setting(
                "collapse.lookup",
                column,
                "a column",
                "the result column that assigns rows to requests",
                since,
                Origin.GIVEN));
        return List.copyOf(all);
    }

    @Override
    public String toString() {
        return "lookups of " + target;
    }
}
