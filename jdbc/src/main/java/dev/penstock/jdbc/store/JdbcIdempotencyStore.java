package dev.penstock.jdbc.store;

import dev.penstock.BatchEndings;
import dev.penstock.Collapse;
import dev.penstock.IdempotencyStore;
import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import dev.penstock.Retry;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.flow.Flow;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.guard.JdbcDrivers;
import dev.penstock.jdbc.store.KeyRows.KeyChange;
import dev.penstock.jdbc.store.KeyRows.KeyRow;
import dev.penstock.jdbc.store.KeyRows.WantedKey;
import dev.penstock.jdbc.store.PooledDatabase.LazyDataSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * An idempotency store in a database table. All processes that share the table agree on which of them may send
 * a request.
 *
 * <pre>{@code
 * try (var store = JdbcIdempotencyStore.on(dataSource)) {
 *     Flow<HttpCall, HttpAnswer> payments =
 *             Flow.named("payments").dedupe(HttpDedupe.byHeader("Idempotency-Key", store)).to(target);
 * }
 * }</pre>
 *
 * <p>The table {@value KeyTable#DEFAULT_NAME} is created if it is missing. PostgreSQL is intended for several
 * processes, a file for one; any other database with standard SQL works too, row by row.
 *
 * <h2>Design note</h2>
 *
 * <p>The commit is the expensive part, so claims are batched, and so are endings, each by an internal flow: a collapse
 * stage, at most two concurrent batches, three attempts, and a circuit breaker. On PostgreSQL a batch is one statement
 * and one commit. Attempts are safe because a claim contains its owner's number: claiming again what was granted is
 * granted again. While the database is down, the breaker rejects immediately.
 *
 * <p>A claim and an ending are reported only when they survive a crash of the process and a power failure: PostgreSQL
 * is asked for {@code synchronous_commit}, and the file is synced. Losing only endings would be safe, since their keys
 * then count as unknown; losing claims would not be.
 *
 * <p>Time is that of {@link StoreClock}, so that a clock which jumps does not release a key early.
 *
 * <p>Expired rows are deleted every {@value KeySweeper#SECONDS} s, in small batches, as long as anything is written.
 *
 * <p>Thread-safe.
 */
public final class JdbcIdempotencyStore implements IdempotencyStore {
    /** The maximum number of connections in use at the same time, for the three kinds of batches and the sweep. */
    public static final int CONNECTIONS = 7;

    private static final int CONCURRENT_BATCHES = 2;
    private static final int CONCURRENT_LOOKUPS = 2;
    private static final int MAX_BATCH = 500;
    private static final long MAX_BATCH_BYTES = 8 << 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(KeyRows.QUERY_TIMEOUT_SECONDS);

    private final StoreDatabase database;
    private final KeyTable table;
    private final String where;
    private final Ticker ticker;
    private final KeySweeper sweeper;
    private final Flow<WantedKey, Claim> claims;
    private final Flow<KeyChange, Boolean> changes;
    private final Flow<String, Optional<Claim>> lookups;
    private final AtomicBoolean closed = new AtomicBoolean();

    private JdbcIdempotencyStore(StoreDatabase database, KeyTable table, String where, Ticker ticker) {
        this.database = database;
        this.table = table;
        this.where = where;
        this.ticker = ticker;
        this.sweeper = new KeySweeper(this::sweep, where, ticker);
        // Statements are limited by their query timeout, and the file by its own timeout.
        this.claims = flow(
                "key-claims",
                CONCURRENT_BATCHES,
                Collapse.<WantedKey, Claim>intoEndings(Service.honoringDeadline(this::claimAll))
                        .unique(WantedKey::id));
        this.changes = flow(
                "key-endings",
                CONCURRENT_BATCHES,
                Collapse.<KeyChange, Boolean>intoEndings(Service.honoringDeadline(this::writeAll))
                        .unique(KeyChange::id)
                        .maxBytes(MAX_BATCH_BYTES, JdbcIdempotencyStore::size));
        this.lookups = flow("key-lookups", CONCURRENT_LOOKUPS, Collapse.into(Service.honoringDeadline(this::findAll)));
    }

    /**
     * A store in the table {@value KeyTable#DEFAULT_NAME}.
     *
     * @param connections the data source; at most {@value #CONNECTIONS} connections are used. Not closed with the store
     */
    public static JdbcIdempotencyStore on(DataSource connections) {
        return on(connections, KeyTable.DEFAULT_NAME);
    }

    /**
     * A store in a table of another name.
     *
     * @param connections as for {@link #on(DataSource)}
     * @param table letters, digits and {@code _}, optionally with a schema and a dot before it
     * @throws IllegalArgumentException when the name has another form
     */
    public static JdbcIdempotencyStore on(DataSource connections, String table) {
        return on(connections, table, Ticker.SYSTEM);
    }

    /**
     * A store that connects to its database only on {@link #open} or the first claim.
     *
     * @param database builds the data source, once; closed with the store
     * @param table as for {@link #on(DataSource, String)}
     * @param where the name of the database for logs and reports, in one short line without secrets
     * @throws IllegalArgumentException when the table's name has another form
     */
    public static JdbcIdempotencyStore lazily(Supplier<GuardedDataSource> database, String table, String where) {
        LazyDataSource lazy = new LazyDataSource(database);
        return on(lazy, table, where, lazy::close, Ticker.SYSTEM);
    }

    /** With another clock, for tests. */
    static JdbcIdempotencyStore on(DataSource connections, String table, Ticker ticker) {
        return on(() -> connections, table, "table " + table, () -> {}, ticker);
    }

    private static JdbcIdempotencyStore on(
            Supplier<? extends DataSource> connections, String name, String where, Runnable closing, Ticker ticker) {
        KeyTable table = new KeyTable(name);
        return new JdbcIdempotencyStore(new PooledDatabase(connections, table, ticker, closing), table, where, ticker);
    }

    /** Whether a name is valid for the table. */
    public static boolean isTableName(String name) {
        return KeyTable.isName(name);
    }

    /**
     * A store in a file of embedded SQLite. Only one process at a time can open it; the file {@code -wal} beside it
     * belongs to it. Nothing is opened before {@link #open} or the first claim. Claims that an earlier process did not
     * end have {@linkplain Claim.Lapsed lapsed} then, whatever their lease: that process is dead.
     *
     * @param file its path without the extension {@code .db}; created with its folders if missing, accessible to the
     *     current user only (mode 0600, folders 0700)
     * @throws IllegalArgumentException when the path contains a question mark, or SQLite's jar is missing
     */
    public static JdbcIdempotencyStore inFile(Path file) {
        return inFile(file, Ticker.SYSTEM);
    }

    /** With another clock, for tests. */
    static JdbcIdempotencyStore inFile(Path file, Ticker ticker) {
        Path path = file.toAbsolutePath().normalize();
        if (path.toString().indexOf('?') >= 0) {
            throw new IllegalArgumentException("the path of a key file must not contain a question mark");
        }
        JdbcDrivers.require("jdbc:sqlite:" + path, "the key file " + path);
        KeyTable table = new KeyTable(KeyTable.DEFAULT_NAME);
        FileDatabase database = new FileDatabase(path, table, ticker);
        return new JdbcIdempotencyStore(database, table, database.where(), ticker);
    }

    private <Q, R> Flow<Q, R> flow(String name, int concurrency, Collapse<Q, R> collapse) {
        return Flow.named(name)
                .ticker(ticker)
                .deadline(TIMEOUT)
                .retry(Retry.ofIdempotent().attempts(3))
                .breaker()
                .concurrency(concurrency)
                .to(collapse.max(MAX_BATCH).whole());
    }

    /**
     * Connects, and creates the table if it is missing. Optional.
     *
     * @throws dev.penstock.Failed when there is no connection
     * @throws dev.penstock.Unknown when the table is missing and cannot be created
     */
    @Override
    public void open() throws Exception {
        database.commit((connection, rows, now) -> true);
    }

    @Override
    public Claim claim(KeyRequest ask) throws Exception {
        return claims.call(new WantedKey(ask, null));
    }

    @Override
    public Claim takeOver(KeyRequest ask, long before) throws Exception {
        return claims.call(new WantedKey(ask, before));
    }

    @Override
    public boolean end(String key, long owner, byte[] ending, Duration keep) throws Exception {
        return changes.call(new KeyChange(key, owner, keep.toMillis(), ending));
    }

    @Override
    public void release(String key, long owner) throws Exception {
        changes.call(new KeyChange(key, owner, 0, null));
    }

    @Override
    public @Nullable Claim find(String key) throws Exception {
        return lookups.call(key).orElse(null);
    }

    private List<Optional<Claim>> findAll(List<String> keys) throws Exception {
        Map<String, KeyRow> found = database.commit((connection, rows, now) -> rows.find(connection, keys, now));
        return keys.stream()
                .map(key -> Optional.ofNullable(found.get(key))
                        .filter(row -> !row.isExpired())
                        .map(KeyRow::toClaim))
                .toList();
    }

    private BatchEndings<Claim> claimAll(List<WantedKey> batch) throws Exception {
        List<WantedKey> byKey =
                batch.stream().sorted(Comparator.comparing(WantedKey::id)).toList();
        Map<String, Claim> claims = database.commit((connection, rows, now) -> rows.claim(connection, byKey, now));
        BatchEndings.Builder<Claim> endings = BatchEndings.ofSize(batch.size());
        for (int index = 0; index < batch.size(); index++) {
            Claim claim = claims.get(batch.get(index).id());
            if (claim != null) {
                endings.answered(index, claim);
            }
        }
        return endings.build();
    }

    private BatchEndings<Boolean> writeAll(List<KeyChange> batch) throws Exception {
        List<KeyChange> byKey =
                batch.stream().sorted(Comparator.comparing(KeyChange::id)).toList();
        Set<String> ended = database.commit((connection, rows, now) -> rows.write(connection, byKey, now));
        sweeper.sweepWhenDue();
        return BatchEndings.answered(
                batch.stream().map(one -> ended.contains(one.id())).toList());
    }

    private static long size(KeyChange change) {
        byte[] ending = change.ending();
        return ending == null ? 0 : ending.length;
    }

    /** Deletes one batch of expired rows, and returns their number. */
    int sweep() throws Exception {
        return database.commit((connection, rows, now) -> table.sweep(connection, now));
    }

    /** Known for a file only; a database that cannot be reached is no fault of this process. */
    @Override
    public @Nullable String outage() {
        return database.outage();
    }

    @Override
    public String where() {
        return where;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            sweeper.close();
            claims.drain(Duration.ZERO);
            lookups.drain(Duration.ZERO);
            changes.drain(TIMEOUT);
            database.close();
        }
    }
}
