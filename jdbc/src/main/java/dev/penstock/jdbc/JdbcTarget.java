package dev.penstock.jdbc;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Setting;
import dev.penstock.Target;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Executes one SQL statement for each request, in a transaction of its own. Blocking; thread-safe.
 *
 * <pre>{@code
 * var target = JdbcTarget.on(dataSource)
 *         .statement("insert into payment(id, amount) values (:id, :amount) on conflict do nothing")
 *         .build();
 * Flow<JdbcRequest, JdbcAnswer> payments = Flow.named("payments")
 *         .deadline(Duration.ofSeconds(2))
 *         .retry(Retry.byKey("id"))
 *         .adaptiveConcurrency()
 *         .to(target);
 * payments.call(JdbcRequest.of("id", "p-1").with("amount", 9));
 * }</pre>
 *
 * <h2>Time limit</h2>
 *
 * <p>A call may use the time left of its thread's {@link Deadline}, including the wait for a connection. When that time
 * is up, the database is asked to cancel the statement; if the call has not returned after the grace period, the
 * connection is aborted. The call returns no later than that, provided that the driver's {@code Connection.abort}
 * unblocks pending calls, as JDBC requires. The abort of H2 does not; embedded H2 has no network connection to lose,
 * and its lock waits have a timeout of their own.
 *
 * <h2>Endings</h2>
 *
 * <ul>
 *   <li>An error response from the database means that the transaction was rolled back: {@link Failed} with cause
 *       {@code REFUSED} for a permanent error (a constraint, an invalid value, invalid SQL), with its SQLState; {@code
 *       ROLLED_BACK} for a conflict (serialization failure, deadlock, lock timeout), which may be retried; {@code
 *       UNDONE} when the database cancelled it.
 *   <li>A connection lost before the answer gives {@link Unknown} with cause {@code CLOSED}, or {@code TIMEOUT} if it
 *       was aborted because the time was up. A statement that {@linkplain JdbcTargetBuilder#reads only reads} is
 *       {@code ROLLED_BACK} instead.
 *   <li>{@code CONNECT} when no connection can be opened; {@link Rejected} with cause {@code POOL} when none is free in
 *       time.
 * </ul>
 */
public final class JdbcTarget implements Target<JdbcRequest, JdbcAnswer> {
    private final NamedStatement statement;
    private final JdbcSession session;
    private final @Nullable AutoCloseable owned;
    private final List<Setting> settings;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param owned closed with the target; null if it owns nothing */
    JdbcTarget(NamedStatement statement, JdbcSession session, @Nullable AutoCloseable owned, List<Setting> settings) {
        this.statement = statement;
        this.session = session;
        this.owned = owned;
        this.settings = settings;
    }

    /**
     * A builder of a target.
     *
     * @param dataSource provides the connections; stays open when the target is closed, unless {@link
     *     JdbcTargetBuilder#closesDataSource} is set
     */
    public static JdbcTargetBuilder on(DataSource dataSource) {
        return new JdbcTargetBuilder(dataSource);
    }

    /**
     * Executes the statement with the values of a request, and commits.
     *
     * @throws Rejected nothing was sent: {@code DEADLINE}, the deadline was exceeded; {@code POOL}, no connection was
     *     available in time
     * @throws Failed {@code CONNECT}, no connection to the database; {@code REFUSED}, the database refused the
     *     statement, a parameter is missing, or the result of a query is too large; {@code ROLLED_BACK} and {@code
     *     UNDONE}, as described above
     * @throws Unknown sent, and the outcome is unknown; {@code GARBLED}, it took effect, but its result is too large or
     *     cannot be read
     */
    @Override
    public JdbcAnswer call(JdbcRequest request) throws Unanswered {
        statement.check(request);
        return session.call((connection, timeout) -> statement.run(connection, timeout, request));
    }

    /** The names of the statement's parameters. */
    public Set<String> parameters() {
        return statement.text().distinctNames();
    }

    /** Whether the statement is declared to have no effect. */
    public boolean isReading() {
        return statement.isReading();
    }

    @Override
    public int maxConcurrency() {
        return session.borrower().maxConnections();
    }

    @Override
    public String where() {
        return session.where();
    }

    @Override
    public List<Setting> settings() {
        return Stream.concat(settings.stream(), session.borrower().settings().stream())
                .toList();
    }

    @Override
    public Map<String, Long> connections() {
        return session.borrower().connections();
    }

    /** Closes the timer, and the data source if the target owns it. */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        session.close();
        if (owned != null) {
            try {
                owned.close();
            } catch (Exception failed) {
                System.getLogger(JdbcTarget.class.getName())
                        .log(System.Logger.Level.WARNING, "closing the data source failed: {0}", failed);
            }
        }
    }

    NamedStatement statement() {
        return statement;
    }

    JdbcSession session() {
        return session;
    }

    @Override
    public String toString() {
        return statement.text().sql() + " at " + where();
    }
}
