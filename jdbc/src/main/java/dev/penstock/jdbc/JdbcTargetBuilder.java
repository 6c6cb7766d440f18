package dev.penstock.jdbc;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Builds a {@link JdbcTarget}. Not thread-safe. */
public final class JdbcTargetBuilder {
    /** The default maximum number of rows in an answer. */
    public static final int MAX_ROWS = 10_000;

    /** The default maximum size of an answer, in bytes. */
    public static final long MAX_BYTES = 16 << 20;

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Duration GRACE = Duration.ofMillis(200);

    private final DataSource dataSource;
    private @Nullable NamedSql text;
    private boolean reads;
    private String where = "a data source";
    private int maxRows = MAX_ROWS;
    private long maxBytes = MAX_BYTES;
    private Duration timeout = TIMEOUT;
    private Duration grace = GRACE;
    private boolean owned;

    JdbcTargetBuilder(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * Sets the statement to execute, with named parameters. Text in quotes and comments is left unchanged, and so are
     * casts ({@code ::text}).
     *
     * @param sql one statement, such as {@code insert into payment(id, amount) values (:id, :amount)}
     * @throws IllegalArgumentException when it is not exactly one such statement; the message has one line and says
     *     what to do
     */
    public JdbcTargetBuilder statement(String sql) {
        text = NamedSql.parse(sql);
        return this;
    }

    /**
     * Declares that the statement has no effect, so that its outcome is never unknown and it may be retried. Default: it
     * may write.
     */
    public JdbcTargetBuilder reads(boolean hasNoEffect) {
        reads = hasNoEffect;
        return this;
    }

    /** The name of the database for logs and reports, in one line without secrets. Default: {@code a data source}. */
    public JdbcTargetBuilder where(String name) {
        where = name;
        return this;
    }

    /**
     * The maximum number of rows in an answer; a larger answer fails. Default: {@value #MAX_ROWS}.
     *
     * @param rows 1 to 10,000,000
     * @throws IllegalArgumentException when out of range
     */
    public JdbcTargetBuilder maxRows(int rows) {
        maxRows = Ranges.within("maxRows", rows, 1, 10_000_000);
        return this;
    }

    /**
     * The maximum size of an answer as text, in bytes; a larger answer fails. The driver buffers the answer as well.
     * Default: 16 MB.
     *
     * @param bytes above 0
     * @throws IllegalArgumentException when out of range
     */
    public JdbcTargetBuilder maxBytes(long bytes) {
        maxBytes = Ranges.within("maxBytes", bytes, 1, Long.MAX_VALUE);
        return this;
    }

    /**
     * The maximum duration of a call without a nearer deadline. Default: 1 min.
     *
     * @throws IllegalArgumentException when not above 0
     */
    public JdbcTargetBuilder timeout(Duration duration) {
        timeout = Ranges.positive("timeout", duration);
        return this;
    }

    /**
     * The time between the cancel request for a late statement and the abort of its connection. Default: 200 ms.
     *
     * @throws IllegalArgumentException when not above 0
     */
    JdbcTargetBuilder cancelGrace(Duration duration) {
        grace = Ranges.positive("cancelGrace", duration);
        return this;
    }

    /**
     * Closes the data source with the target, if it is {@link AutoCloseable}. Default: it stays open, since others may
     * use it.
     */
    public JdbcTargetBuilder closesDataSource() {
        owned = true;
        return this;
    }

    /**
     * Builds the target. Opens no connection.
     *
     * @throws IllegalStateException when there is no statement
     */
    public JdbcTarget build() {
        NamedSql sql = text;
        if (sql == null) {
            throw new IllegalStateException("no statement: call statement(...)");
        }
        NamedStatement statement = new NamedStatement(sql, reads, new RowReader(maxRows, maxBytes));
        JdbcSession session = new JdbcSession(
                where, new ConnectionBorrower(dataSource), new CallTimeouts(where, grace), Durations.nanos(timeout));
        AutoCloseable own = owned && dataSource instanceof AutoCloseable closeable ? closeable : null;
        return new JdbcTarget(statement, session, own, settings(sql));
    }

    private List<Setting> settings(NamedSql sql) {
        return List.of(
                setting("statement", sql.sql(), "SQL", "executed for each request, in a transaction of its own", true),
                setting(
                        "reads",
                        Boolean.toString(reads),
                        "true, false",
                        "whether the statement is declared to have no effect, so that it may be retried",
                        reads),
                setting(
                        "max_rows",
                        Integer.toString(maxRows),
                        "1..10000000",
                        "a larger answer fails",
                        maxRows != MAX_ROWS),
                setting(
                        "max_bytes",
                        Long.toString(maxBytes),
                        "1 or more",
                        "a larger answer fails",
                        maxBytes != MAX_BYTES),
                setting(
                        "timeout",
                        Durations.format(timeout),
                        "above 0",
                        "maximum duration of a call without a nearer deadline",
                        !timeout.equals(TIMEOUT)));
    }

    private static Setting setting(String name, String value, String range, String reason, boolean pinned) {
        return new Setting(name, value, range, reason, Instant.now(), pinned ? Origin.PINNED : Origin.DEFAULT);
    }
}
