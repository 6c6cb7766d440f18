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
import javax.sql.DataSource;

/**
 * A statement at the end of a flow, run for each request in a transaction of its own. Blocking; safe for many threads.
 *
 * <pre>{@code
 * var target = JdbcTarget.on(dataSource)
 *         .statement("insert into payment(id, amount) values (:id, :amount) on conflict do nothing")
 *         .build();
 * Flow<JdbcRequest, JdbcAnswer> payments = Flow.named("payments")
 *         .deadline(Duration.ofSeconds(2))
 *         .retry(Retry.byKey("id"))
 *         .limit()
 *         .to(target);
 * payments.call(JdbcRequest.of("id", "p-1").with("amount", 9));
 * }</pre>
 *
 * <h2>Time</h2>
 *
 * <p>A call is given the time that its thread has left ({@link Deadline}), the wait for a connection included. When it is up,
 * the database is asked to cancel; if nothing comes back within the grace, the connection is cut. Either way the call
 * returns no later than that, as long as the driver's {@code Connection.abort} ends what blocks on it, as JDBC asks for; that
 * of H2 does not, which has no connections to lose, and ends waits for locks by itself.
 *
 * <h2>How it ends</h2>
 *
 * <ul>
 *   <li>An error that the database answers with is known to have undone the transaction: {@link Failed}, cause {@code
 *       REFUSED} for good (a constraint, a wrong value, wrong SQL), with its SQLState; {@code ROLLED_BACK} for a conflict
 *       (serialization, deadlock, lock timeout), which may be repeated; {@code UNDONE} for what it says it has cancelled.
 *   <li>A connection that ends before the answer leaves {@link Unknown}, cause {@code CLOSED}; one that was cut since its time
 *       was up, {@code TIMEOUT}. Not so where a statement only reads: that is {@code ROLLED_BACK}.
 *   <li>No connection at all is {@code CONNECT}; none free in time, {@link Rejected}, cause {@code POOL}.
 * </ul>
 */
public final class JdbcTarget implements Target<JdbcRequest, JdbcAnswer> {
    private final NamedStatement statement;
    private final JdbcSession session;
    private final TargetResources resources;

    JdbcTarget(NamedStatement statement, JdbcSession session, TargetResources resources) {
        this.statement = statement;
        this.session = session;
        this.resources = resources;
    }

    /**
     * A builder of a target.
     *
     * @param dataSource where connections come from; left open when the target is closed, unless told otherwise
     */
    public static JdbcTargetBuilder on(DataSource dataSource) {
        return new JdbcTargetBuilder(dataSource);
    }

    /**
     * Runs the statement with the values of a request, and commits.
     *
     * @throws Rejected nothing was sent: {@code DEADLINE}, the time left is up; {@code POOL}, no connection came free in time
     * @throws Failed {@code CONNECT}, no connection to the database; {@code REFUSED}, it will not take it, or a parameter is
     *     missing, or what was read is too much to hold; {@code ROLLED_BACK}, {@code UNDONE}, as told above
     * @throws Unknown sent, and nobody knows whether it took effect; {@code GARBLED}, it did, and its answer is too much to
     *     hold
     */
    @Override
    public JdbcAnswer call(JdbcRequest request) throws Unanswered {
        statement.check(request);
        return session.call((connection, watch) -> statement.run(connection, watch, request));
    }

    /** The names of the parameters of the statement. */
    public Set<String> parameters() {
        return statement.text().distinctNames();
    }

    /** Whether the statement only reads. */
    public boolean isReading() {
        return statement.isReading();
    }

    @Override
    public String where() {
        return resources.where();
    }

    @Override
    public List<Setting> settings() {
        return resources.allSettings();
    }

    @Override
    public Map<String, Long> connections() {
        return resources.connectionBorrower().connections();
    }

    /** Closes what the target holds open: its timer, and the data source if that was said to be its own. */
    @Override
    public void close() {
        resources.close();
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
