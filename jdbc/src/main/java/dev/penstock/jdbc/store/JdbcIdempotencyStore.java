package dev.penstock.jdbc.store;

import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.collapse.Collapse;
import dev.penstock.collapse.BatchEndings;
import dev.penstock.dedupe.KeyRequest;
import dev.penstock.dedupe.Claim;
import dev.penstock.dedupe.IdempotencyStore;
import dev.penstock.flow.Flow;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.retry.Retry;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Keys in a table of a database. All processes that share it agree on who may send what.
 *
 * <pre>{@code
 * try (var store = JdbcIdempotencyStore.on(dataSource)) {
 *     Flow<HttpCall, HttpAnswer> payments =
 *             Flow.named("payments").dedupe(HttpDedupe.byHeader("Idempotency-Key", store)).to(target);
 * }
 * }</pre>
 *
 * <p>The table {@value KeyTable#DEFAULT_NAME} is made when it is missing. PostgreSQL is meant for several processes, a file
 * for one; any other database with plain SQL will do, row by row.
 *
 * <h2>Design note</h2>
 *
 * <p>What costs is the commit, so claims travel together, and so do endings, each by a flow of their own with the same
 * machinery as any: a collapse, at most two batches at the database, three attempts, a breaker. A batch is one statement
 * and one commit on PostgreSQL. Attempts are safe since a claim bears its owner's number: to ask again for what was granted
 * is granted again. While the database is away the breaker says so at once.
 *
 * <p>A claim and an ending are reported once they outlive the process and a power cut: PostgreSQL is asked for
 * {@code synchronous_commit}, and the file is synced. To lose endings only would be safe, for their keys are unknown then; to
 * lose claims would not.
 *
 * <p>Time is that of {@link StoreClock}: no clock that jumps releases a key early.
 *
 * <p>Rows whose time is over are taken out every {@value #SWEEP_SECONDS} s, while anything is written, in small bites.
 *
 * <p>Safe for many threads.
 */
public final class JdbcIdempotencyStore implements IdempotencyStore {
    /** How many connections it uses at once, at most, of the three kinds of batches and the sweep. */
    public static final int CONNECTIONS = 7;

    static final int SWEEP_SECONDS = 10;
    private static final int MOST_BITES = 200;
    private static final int AT_THE_DATABASE = 2;
    private static final int LOOKING = 2;
    private static final int LARGEST_BATCH = 500;
    private static final long LARGEST_BATCH_BYTES = 8 << 20;
    private static final Duration LONGEST = Duration.ofSeconds(KeyRows.MOST_SECONDS);

    private final StoreDatabase database;
    private final KeyTable table;
    private final String where;
    private final Ticker ticker;
    private final Flow<WantedKey, Claim> claims;
    private final Flow<KeyChange, Boolean> news;
    private final Flow<String, Optional<Claim>> lookups;
    private final Part sweeper;
    private final AtomicLong nextSweep;
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private final AtomicBoolean closed = new AtomicBoolean();

    private JdbcIdempotencyStore(StoreDatabase database, KeyTable table, String where, Ticker ticker) {
        this.database = database;
        this.table = table;
        this.where = where;
        this.ticker = ticker;
        this.sweeper = Supervisor.current().part("key-store-sweep", where);
        this.nextSweep = new AtomicLong(ticker.nanos());
        // Statements are bounded by their query timeout, and the file by its own.
        this.claims = flow(
                "key-claims",
                AT_THE_DATABASE,
                Collapse.<WantedKey, Claim>intoEndings(Service.honoringDeadline(this::claimed))
                        .unique(WantedKey::id));
        this.news = flow(
                "key-endings",
                AT_THE_DATABASE,
                Collapse.<KeyChange, Boolean>intoEndings(Service.honoringDeadline(this::told))
                        .unique(KeyChange::id)
                        .maxBytes(LARGEST_BATCH_BYTES, JdbcIdempotencyStore::size));
        this.lookups = flow("key-lookups", LOOKING, Collapse.into(Service.honoringDeadline(this::found)));
    }

    /**
     * In the table {@value KeyTable#DEFAULT_NAME}.
     *
     * @param connections where to get connections, {@value #CONNECTIONS} at the most; not closed with this
     */
    public static JdbcIdempotencyStore on(DataSource connections) {
        return on(connections, KeyTable.DEFAULT_NAME);
    }

    /**
     * In a table of another name.
     *
     * @param connections as above
     * @param table letters, digits and {@code _}, with its schema before a dot if need be
     * @throws IllegalArgumentException when the name is not of that form
     */
    public static JdbcIdempotencyStore on(DataSource connections, String table) {
        return on(connections, table, Ticker.SYSTEM);
    }

    /**
     * In a table of a database that is not connected to before {@link #open} or the first claim.
     *
     * @param database builds the data source, once; closed with this
     * @param table as above
     * @param where where it is, in one short line without secrets, for people to read
     * @throws IllegalArgumentException when the table's name is not of that form
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

    /** Whether a table can have this name. */
    public static boolean isTableName(String name) {
        return KeyTable.isName(name);
    }

    /**
     * In a file, by the embedded SQLite. One process at a time can have it open; the file {@code -wal} beside it belongs to
     * it. Nothing is opened before {@link #open} or the first claim. Claims of an earlier process that has not ended them
     * have {@linkplain Claim.Lapsed lapsed} then, whatever lease they had: that process is dead.
     *
     * @param file its path without the ending {@code .db}; made with its folders when missing, for the user of this process
     *     alone (0600, folders 0700)
     * @throws IllegalArgumentException when the path has a question mark in it
     */
    public static JdbcIdempotencyStore inFile(Path file) {
        return inFile(file, Ticker.SYSTEM);
    }

    /** With another clock, for tests. */
    static JdbcIdempotencyStore inFile(Path file, Ticker ticker) {
        Path path = file.toAbsolutePath().normalize();
        if (path.toString().indexOf('?') >= 0) {
            throw new IllegalArgumentException("the path of a file of keys has no question mark in it");
        }
        KeyTable table = new KeyTable(KeyTable.DEFAULT_NAME);
        FileDatabase database = new FileDatabase(path, table, ticker);
        return new JdbcIdempotencyStore(database, table, database.where(), ticker);
    }

    private <Q, R> Flow<Q, R> flow(String name, int atOnce, Collapse<Q, R> collapse) {
        return Flow.named(name)
                .ticker(ticker)
                .deadline(LONGEST)
                .retry(Retry.ofIdempotent().attempts(3))
                .breaker()
                .limit(atOnce)
                .to(collapse.max(LARGEST_BATCH).whole());
    }

    /**
     * Connects, and makes the table when it is missing. Need not be called.
     *
     * @throws dev.penstock.Failed there is no connection
     * @throws dev.penstock.Unknown the table is missing and cannot be made
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
        return news.call(new KeyChange(key, owner, keep.toMillis(), ending));
    }

    @Override
    public void release(String key, long owner) throws Exception {
        news.call(new KeyChange(key, owner, 0, null));
    }

    @Override
    public @Nullable Claim find(String key) throws Exception {
        return lookups.call(key).orElse(null);
    }

    private List<Optional<Claim>> found(List<String> keys) throws Exception {
        Map<String, KeyRow> found = database.commit((connection, rows, now) -> rows.find(connection, keys, now));
        return keys.stream()
                .map(key -> Optional.ofNullable(found.get(key))
                        .filter(row -> !row.isOver())
                        .map(KeyRow::stands))
                .toList();
    }

    private BatchEndings<Claim> claimed(List<WantedKey> batch) throws Exception {
        List<WantedKey> byKey =
                batch.stream().sorted(Comparator.comparing(WantedKey::id)).toList();
        Map<String, Claim> claimed = database.commit((connection, rows, now) -> rows.claim(connection, byKey, now));
        BatchEndings.Builder<Claim> endings = BatchEndings.ofSize(batch.size());
        for (int place = 0; place < batch.size(); place++) {
            Claim claim = claimed.get(batch.get(place).id());
            if (claim != null) {
                endings.answered(place, claim);
            }
        }
        return endings.build();
    }

    private BatchEndings<Boolean> told(List<KeyChange> batch) throws Exception {
        List<KeyChange> byKey = batch.stream().sorted(Comparator.comparing(KeyChange::id)).toList();
        Set<String> ended = database.commit((connection, rows, now) -> rows.tell(connection, byKey, now));
        sweepWhenDue();
        return BatchEndings.answered(
                batch.stream().map(one -> ended.contains(one.id())).toList());
    }

    private static long size(KeyChange news) {
        byte[] ending = news.ending();
        return ending == null ? 0 : ending.length;
    }

    private void sweepWhenDue() {
        long now = ticker.nanos();
        if (now - nextSweep.get() >= 0 && sweeping.compareAndSet(false, true)) {
            nextSweep.set(now + Duration.ofSeconds(SWEEP_SECONDS).toNanos());
            try {
                Thread.ofVirtual().name("key-sweep").start(sweeper.periodic(this::sweepInBites));
            } catch (Throwable noThread) { // the endings that were told are written all the same
                sweeping.set(false);
                sweeper.failed("the next sweep removes the same rows", noThread);
            }
        }
    }

    private void sweepInBites() {
        try {
            boolean more = true;
            for (int bites = 0; more && bites < MOST_BITES && !closed.get(); bites++) {
                more = sweep() == KeyTable.SWEPT_AT_ONCE;
            }
        } catch (Exception later) {
            // The next one finds the same rows; nothing depends on when.
        } finally {
            sweeping.set(false);
        }
    }

    /** Takes out rows that are over, one bite of them; tells how many. */
    int sweep() throws Exception {
        return database.commit((connection, rows, now) -> table.sweep(connection, now));
    }

    @Override
    public String where() {
        return where;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            claims.drain(Duration.ZERO);
            lookups.drain(Duration.ZERO);
            news.drain(LONGEST);
            database.close();
            sweeper.close();
        }
    }
}
