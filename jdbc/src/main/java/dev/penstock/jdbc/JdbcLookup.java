package dev.penstock.jdbc;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Target;
import dev.penstock.Unanswered;
import dev.penstock.collapse.Collapse;
import dev.penstock.collapse.BatchEndings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Carries the lookups of many transactions, each by one key, by one query for all of their keys.
 *
 * <pre>{@code
 * var target = JdbcTarget.on(dataSource)
 *         .statement("select id, name from customer where id = :id")
 *         .build();
 * Flow<JdbcRequest, JdbcAnswer> customers = Flow.named("customers").to(JdbcLookup.over(target).collapse());
 * }</pre>
 *
 * <p>The query has one parameter, compared by {@code =}, and its answer has the column that it is compared with. PostgreSQL is
 * asked for {@code = any(...)}, other databases for {@code in (...)}. A key that is not there is answered by no rows. Since
 * it only reads, nothing is ever in doubt: what is lost may be repeated.
 *
 * <p>Each method gives a changed copy over the same target. Safe for many threads.
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
     * Lookups by the key of a target's statement. The column that bears it is named as the parameter is.
     *
     * @param target closed with this
     * @throws IllegalArgumentException the statement is no such query, or does not only read; one line that says why
     */
    public static JdbcLookup over(JdbcTarget target) {
        LookupSql lookup = LookupSql.of(target.statement().text());
        if (!target.isReading()) {
            throw new IllegalArgumentException(
                    "a lookup only reads: if the functions that the statement calls do, say reading(true)");
        }
        return new JdbcLookup(target, lookup, lookup.parameter());
    }

    /** The column of the answer that bears the key, in any case. Default: named as the parameter is. */
    public JdbcLookup column(String name) {
        return new JdbcLookup(target, lookup, name);
    }

    /** Collapses into these lookups. Those of one key are asked for once. */
    public Collapse<JdbcRequest, JdbcAnswer> collapse() {
        return Collapse.intoEndings(this).whole();
    }

    /**
     * Asks for all keys.
     *
     * @return an ending for each request: rows, perhaps none
     * @throws Unanswered as {@link JdbcTarget#call} says; never unknown
     */
    @Override
    public BatchEndings<JdbcAnswer> call(List<JdbcRequest> requests) throws Unanswered {
        if (requests.isEmpty()) {
            return BatchEndings.answered(List.of());
        }
        return target.session()
                .callForOthers((connection, watch) ->
                        new MultiKeyQuery(target.statement(), lookup, column, connection, watch, requests).run());
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
                "rows are given back by it",
                since,
                column.equals(lookup.parameter()) ? Origin.DEFAULT : Origin.FILE));
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
