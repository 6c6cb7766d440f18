package dev.penstock.jdbc;

import dev.penstock.Durations;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Builds a {@link JdbcTarget}. Not safe for many threads. */
public final class JdbcTargetBuilder {
    /** How many rows an answer has at most, by default. */
    public static final int MAX_ROWS = 10_000;

    /** How many bytes an answer has at most, by default. */
    public static final long MAX_BYTES = 16 << 20;

    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final Duration GRACE = Duration.ofMillis(200);

    private final DataSource dataSource;
    private @Nullable NamedSql text;
    private @Nullable Boolean reading;
    private String where = "a data source";
    private int maxRows = MAX_ROWS;
    private long maxBytes = MAX_BYTES;
    private Duration timeout = LONGEST;
    private Duration grace = GRACE;
    private boolean owned;

    JdbcTargetBuilder(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /**
     * The statement to run, with parameters by name. What stands in quotes and comments is left alone, and so are casts
     * ({@code ::text}).
     *
     * @param sql one statement, such as {@code insert into payment(id, amount) values (:id, :amount)}
     * @throws IllegalArgumentException when it is not one such statement; one line that says what to do
     */
    public JdbcTargetBuilder statement(String sql) {
        text = NamedSql.parse(sql);
        return this;
    }

    /**
     * Whether the statement only reads, so that it is never in doubt, and may be repeated. Default: it does if it is a query
     * that locks nothing and calls no function but those that every database has.
     */
    public JdbcTargetBuilder reading(boolean only) {
        reading = only;
        return this;
    }

    /** What to call the place where it leads, in one line without secrets. Default: a data source. */
    public JdbcTargetBuilder where(String name) {
        where = name;
        return this;
    }

    /**
     * How many rows an answer has at most; more fail. Default: {@value #MAX_ROWS}.
     *
     * @param rows 1 to 10,000,000
     * @throws IllegalArgumentException when out of range
     */
    public JdbcTargetBuilder maxRows(int rows) {
        if (rows < 1 || rows > 10_000_000) {
            throw new IllegalArgumentException("rows are 1 to 10,000,000, not " + rows);
        }
        maxRows = rows;
        return this;
    }

    /**
     * How many bytes of text an answer has at most; more fail. The driver holds them too. Default: 16 MB.
     *
     * @param bytes more than 0
     * @throws IllegalArgumentException when out of range
     */
    public JdbcTargetBuilder maxBytes(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes are 1 or more, not " + bytes);
        }
        maxBytes = bytes;
        return this;
    }

    /**
     * How long a call may take, where no deadline is nearer. Default: 1 min.
     *
     * @throws IllegalArgumentException when not above 0
     */
    public JdbcTargetBuilder timeout(Duration most) {
        timeout = positive(most);
        return this;
    }

    /**
     * How long the database has to confirm that it cancelled a call whose time is up, before the connection is cut. Default:
     * 200 ms.
     *
     * @throws IllegalArgumentException when not above 0
     */
    public JdbcTargetBuilder cancelGrace(Duration most) {
        grace = positive(most);
        return this;
    }

    /** Closes the data source with the target, if it can be closed. Default: it stays open, for it may serve others. */
    public JdbcTargetBuilder closesDataSource() {
        owned = true;
        return this;
    }

    private static Duration positive(Duration time) {
        if (time.isZero() || time.isNegative()) {
            throw new IllegalArgumentException("a time has to be above 0, not " + Durations.words(time));
        }
        return time;
    }

    /**
     * The target. Opens no connection.
     *
     * @throws IllegalStateException when there is no statement
     */
    public JdbcTarget build() {
        NamedSql sql = text;
        if (sql == null) {
            throw new IllegalStateException("a target needs a statement: call statement(...)");
        }
        boolean reads = reading == null ? ReadOnlyCheck.only(sql) : reading;
        NamedStatement statement = new NamedStatement(sql, reads, new RowReader(maxRows, maxBytes));
        ConnectionBorrower connectionBorrower = new ConnectionBorrower(dataSource);
        CallTimeouts watch = new CallTimeouts(where, grace);
        AutoCloseable own = owned && dataSource instanceof AutoCloseable closeable ? closeable : null;
        TargetResources resources = new TargetResources(where, connectionBorrower, watch, own, new AtomicBoolean(), settings(sql, reads));
        return new JdbcTarget(statement, new JdbcSession(connectionBorrower, watch, Durations.nanos(timeout)), resources);
    }

    private List<Setting> settings(NamedSql sql, boolean reads) {
        return List.of(
                setting("statement", sql.sql(), "SQL", "run for each request, in a transaction of its own", true),
                setting(
                        "reading",
                        Boolean.toString(reads),
                        "true, false",
                        "whether it only reads, and so may be repeated",
                        reading != null),
                setting(
                        "max_rows",
                        Integer.toString(maxRows),
                        "1..10000000",
                        "an answer of more rows fails",
                        maxRows != MAX_ROWS),
                setting(
                        "max_bytes",
                        Long.toString(maxBytes),
                        "1 or more",
                        "an answer of more bytes fails",
                        maxBytes != MAX_BYTES),
                setting(
                        "timeout",
                        Durations.words(timeout),
                        "above 0",
                        "how long a call may take where no deadline is nearer",
                        !timeout.equals(LONGEST)),
                setting(
                        "cancel_grace",
                        Durations.words(grace),
                        "above 0",
                        "how long a cancel may take before the connection is cut",
                        !grace.equals(GRACE)));
    }

    private static Setting setting(String name, String value, String range, String reason, boolean given) {
        return new Setting(name, value, range, reason, Instant.now(), given ? Origin.PINNED : Origin.DEFAULT);
    }
}
