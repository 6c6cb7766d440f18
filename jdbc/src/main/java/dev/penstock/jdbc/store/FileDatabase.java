package dev.penstock.jdbc.store;

import dev.penstock.Failed;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.state.PrivateFiles;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * An SQLite file that only this process uses.
 *
 * <h2>Design note</h2>
 *
 * <p>One thread owns the only connection. All waiting batches are committed together, by one write to the write-ahead
 * log and one fdatasync: {@code journal_mode = wal} and {@code synchronous = full}. The thread is a platform thread,
 * since SQLite would pin the carrier of a virtual thread during a sync.
 *
 * <p>{@code locking_mode = exclusive} holds the lock of the file until the process ends, however it ends. A process
 * that gets the lock therefore knows that the previous one is dead, and ends its leases.
 *
 * <p>After an error the file is closed and opened again. That checkpoints the log into the file; after a failed sync it
 * is unknown which part of the log is on the disk.
 *
 * <p>Thread-safe.
 */
final class FileDatabase implements StoreDatabase {
    private static final Logger LOG = LoggerFactory.getLogger("penstock.keys");
    private static final Duration TIMEOUT = Duration.ofSeconds(KeyRows.QUERY_TIMEOUT_SECONDS);

    /** The first access loads a native library, and may have to recover a long log. */
    private static final Duration OPEN_TIMEOUT = Duration.ofMinutes(1);

    private static final int MAX_BATCHES = 16;
    private static final String EXTENSION = ".db";
    private static final String OLD_EXTENSION = ".mv.db";

    private final Path file;
    private final Path oldFile;
    private final KeyTable table;
    private final StoreClock clock;
    private final BlockingQueue<Task<?>> tasks = new LinkedBlockingQueue<>();
    private final Part part;
    private @Nullable Thread thread;
    private boolean closed;
    private @Nullable Connection connection;
    private volatile boolean leasesEnded;

    /**
     * Does not open the file yet.
     *
     * @param file its path without the extension {@code .db}
     */
    FileDatabase(Path file, KeyTable table, Ticker ticker) {
        this.file = file.resolveSibling(file.getFileName() + EXTENSION);
        this.oldFile = file.resolveSibling(file.getFileName() + OLD_EXTENSION);
        this.table = table;
        this.clock = new StoreClock(table, ticker);
        this.part = Supervisor.current().part("key-store", where());
    }

    /** Work and its result. */
    private static final class Task<T> {
        private final Work<T> work;
        private final CompletableFuture<T> future = new CompletableFuture<>();
        private @Nullable T result;

        Task(Work<T> work) {
            this.work = work;
        }

        void run(Connection connection, KeyRows rows, long now) throws SQLException {
            result = work.run(connection, rows, now);
        }

        void complete() {
            future.complete(result);
        }
    }

    @Override
    public <T> T commit(Work<T> work) throws Failed, Unknown {
        Task<T> task = new Task<>(work);
        Duration timeout = leasesEnded ? TIMEOUT : OPEN_TIMEOUT;
        enqueue(task);
        try {
            return task.future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException thrown) {
            throw ending(thrown.getCause());
        } catch (TimeoutException late) {
            throw new Unknown(
                    Unknown.Cause.TIMEOUT,
                    "the file was not written within " + timeout.toSeconds() + " s; check the disk",
                    late);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new Unknown(Unknown.Cause.INTERRUPTED, "interrupted while writing the file", interrupt);
        }
    }

    private static Unknown ending(@Nullable Throwable thrown) throws Failed {
        return switch (thrown) {
            case Failed failed -> throw new Failed(failed.why(), String.valueOf(failed.getMessage()), failed);
            case SQLException sql -> StoreDatabase.unknown(sql);
            case null, default -> new Unknown(Unknown.Cause.ERROR, String.valueOf(thrown), thrown);
        };
    }

    private synchronized void enqueue(Task<?> task) throws Failed {
        if (closed) {
            throw new Failed(Failed.Cause.CONNECT, "no connection: the file is closed");
        }
        if (thread == null) {
            thread = part.start(Thread.ofPlatform().daemon().name("key-store"), this::run);
        }
        tasks.add(task);
    }

    private void run() throws InterruptedException {
        try {
            boolean more = true;
            while (more) {
                List<Task<?>> batch = new ArrayList<>();
                batch.add(tasks.take());
                tasks.drainTo(batch, MAX_BATCHES - 1);
                more = !batch.removeIf(task -> task == END);
                commit(batch);
            }
        } finally {
            closeFile();
        }
    }

    /** The last task: none is added after it. */
    private static final Task<Boolean> END = new Task<>((connection, rows, now) -> true);

    private void commit(List<Task<?>> batch) {
        try {
            commitTogether(batch);
        } catch (Unanswered failed) {
            batch.forEach(task -> task.future.completeExceptionally(failed));
        } catch (Throwable broken) {
            closeFile();
            if (batch.size() == 1) {
                batch.getFirst().future.completeExceptionally(broken);
            } else {
                batch.forEach(task -> commit(List.of(task)));
            }
        }
    }

    private void commitTogether(List<Task<?>> batch) throws SQLException, Failed {
        if (batch.isEmpty()) {
            return;
        }
        Connection open = openIfClosed();
        try {
            long now = clock.now(open);
            for (Task<?> task : batch) {
                task.run(open, StoreDialect.SQLITE.rows(table.name()), now);
            }
            open.commit();
        } catch (Throwable thrown) {
            StoreDatabase.rollBack(open, thrown);
            throw thrown;
        }
        batch.forEach(Task::complete);
    }

    private Connection openIfClosed() throws Failed {
        Connection open = connection;
        if (open == null) {
            try {
                open = open();
            } catch (SQLException failed) {
                throw isInUse(failed)
                        ? new Failed(
                                Failed.Cause.CONNECT,
                                "no connection: the file is locked by another process; stop that process, or configure"
                                        + " another state file here",
                                failed)
                        : StoreDatabase.noConnection(failed);
            } catch (IOException failed) {
                throw new Failed(
                        Failed.Cause.CONNECT,
                        "no connection: cannot create the file " + file + ": " + failed.getMessage()
                                + "; check that the folder exists and is writable",
                        failed);
            }
            connection = open;
        }
        return open;
    }

    private static boolean isInUse(SQLException failed) {
        return failed instanceof SQLiteException known
                && (known.getResultCode().code & 0xff) == SQLiteErrorCode.SQLITE_BUSY.code;
    }

    private Connection open() throws SQLException, IOException, Failed {
        if (!Files.exists(file)) {
            rejectOldFile();
            PrivateFiles.createFile(file);
            syncFolders();
        }
        PrivateFiles.tighten(file);
        PrivateFiles.tighten(file.resolveSibling(file.getFileName() + "-wal"));
        Connection open = DriverManager.getConnection("jdbc:sqlite:" + file);
        try {
            prepare(open);
            return open;
        } catch (SQLException | RuntimeException broken) {
            open.close();
            throw broken;
        }
    }

    private void prepare(Connection open) throws SQLException {
        try (Statement statement = open.createStatement()) {
            // Set before the first access, so that SQLite needs no shared-memory file (-shm).
            statement.execute("pragma locking_mode = exclusive");
            statement.execute("pragma synchronous = full");
            statement.execute("pragma fullfsync = on");
            statement.execute("pragma checkpoint_fullfsync = on");
            try (ResultSet mode = statement.executeQuery("pragma journal_mode = wal")) {
                if (!mode.next() || !mode.getString(1).equals("wal")) {
                    throw new SQLException("the file system of " + file + " does not support a write-ahead log");
                }
            }
        }
        open.setAutoCommit(false);
        table.createIfMissing(open, StoreDialect.SQLITE);
        if (!leasesEnded) {
            table.endLeases(open);
        }
        open.commit();
        leasesEnded = true;
    }

    private void rejectOldFile() throws Failed {
        if (Files.exists(oldFile)) {
            throw new Failed(
                    Failed.Cause.CONNECT,
                    "no connection: " + oldFile.getFileName()
                            + " contains keys of an earlier version of Penstock, which this version cannot read;"
                            + " without them, retried requests are sent twice. Delete the file when its keys have expired");
        }
    }

    /** The directory entries of a new file and of new folders must also survive a power failure. */
    private void syncFolders() throws IOException {
        for (Path folder = file.getParent(); folder != null; folder = folder.getParent()) {
            try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
                entries.force(true);
            } catch (IOException unsupported) {
                // Windows cannot sync a folder. A folder that we may not read was not created by us.
                return;
            }
        }
    }

    private void closeFile() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (Throwable failed) { // also an Error: the callers must still get the outcome of their tasks
                LOG.warn("closing the key file {} failed ({}); SQLite recovers it when it is opened", file, failed);
            }
        }
    }

    /** Its name, in one short line. */
    String where() {
        return "file " + file.getFileName();
    }

    @Override
    public void close() {
        Thread running;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            tasks.add(END);
            running = thread;
        }
        if (running != null) {
            try {
                running.join(Duration.ofSeconds(2L * KeyRows.QUERY_TIMEOUT_SECONDS));
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
            }
        }
        part.close();
    }
}
