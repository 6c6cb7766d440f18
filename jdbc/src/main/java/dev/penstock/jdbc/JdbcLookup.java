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
import java.util.Map;

/**
 * Combines the lookups of many transactions, each by one key, into one query for all keys.
 *
 * <pre>{@code
 * var target = JdbcTarget.on(dataSource)
 *         .statement("select id, name from customer where id = :id")
 *         .build();
 * Flow<JdbcRequest, JdbcAnswer> customers = Flow.named("customers").to(JdbcLookup.over(target).collapse());
 * }</pre>
 *
 * <p>The query has one parameter, compared by {@code =}, and selects the column that it is compared with. The query
 * becomes {@code = any(...)} on PostgreSQL and {@code in (...)} on other databases. A key without a row is answered
 * with no rows. Since the query only reads, its outcome is never unknown: a lost one may be retried.
 *
 * <p>Each method returns a changed copy over the same target. Thread-safe.
 */
public final class JdbcLookup implements Target<List<JdbcRequest>, BatchEndings<JdbcAnswer>> {
    private final JdbcTarget target;
    private final LookupSql lookup;
    private final String column;
    private final Instant since = Instant.now();

    private JdbcLookup(JdbcTarget target, LookupSql lookup, String column) {
        this.target = target;
        this.lookup = lookup;
        this.column = column;
    }

    /**
     * Looks up by the parameter of a target's statement. The key column of the result has the same name by default.
     *
     * @param target closed with this lookup
     * @throws IllegalArgumentException when the statement is not such a query, or may write; the message has one line
     *     and gives the reason
     */
    public static JdbcLookup over(JdbcTarget target) {
        LookupSql lookup = LookupSql.of(target.statement().text());
        if (!target.isReading()) {
            throw new IllegalArgumentException(
                    "a lookup must be read-only; if all functions that the statement calls only read, set reading(true)");
        }
        return new JdbcLookup(target, lookup, lookup.parameter());
    }

    /** Sets the result column that contains the key, case-insensitive. Default: the name of the parameter. */
    public JdbcLookup column(String name) {
        return new JdbcLookup(target, lookup, name);
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
                        new MultiKeyQuery(target.statement(), lookup, column, connection, timeout, requests).run());
    }

    @Override
    public int maxConcurrency() {
        return target.maxConcurrency();
    }

    @Override
    public String where() {
        return target.where();
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
                column.equals(lookup.parameter()) ? Origin.DEFAULT : Origin.GIVEN));
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
        return "lookups of " + target;
    }
}
