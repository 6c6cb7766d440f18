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
 * A file of SQLite that belongs to this process alone.
 *
 * <h2>Design note</h2>
 *
 * <p>One thread has the one connection. All batches that wait for it are committed together, by one write of the log and one
 * fdatasync: {@code journal_mode = wal} and {@code synchronous = full}. A thread of its own, since SQLite would keep the
 * carrier of a virtual thread busy during a sync.
 *
 * <p>{@code locking_mode = exclusive} keeps the lock of the file until the process ends, however it ends. So whoever gets it
 * knows that the process before is dead, and ends its leases.
 *
 * <p>After an error the file is closed and opened anew. That writes what the log holds into the file itself; after a sync that
 * failed, nobody could tell what of the log is on the disk.
 *
 * <p>Safe for many threads.
 */
final class FileDatabase implements StoreDatabase {
    private static final Logger LOG = LoggerFactory.getLogger("penstock.keys");
    private static final Duration LONGEST = Duration.ofSeconds(KeyRows.MOST_SECONDS);

    /** The first access loads a native library, and may have to recover a long log. */
    private static final Duration LONGEST_OPENING = Duration.ofMinutes(1);

    private static final int MOST_TOGETHER = 16;
    private static final String ENDING = ".db";
    private static final String ENDING_BEFORE = ".mv.db";

    private final Path file;
    private final Path before;
    private final KeyTable table;
    private final StoreClock clock;
    private final BlockingQueue<Task<?>> tasks = new LinkedBlockingQueue<>();
    private final Part part;
    private @Nullable Thread thread;
    private boolean closed;
    private @Nullable Connection connection;
    private volatile boolean leasesEnded;

    /**
     * A file that is not opened yet.
     *
     * @param file its path without its ending
     */
    FileDatabase(Path file, KeyTable table, Ticker ticker) {
        this.file = file.resolveSibling(file.getFileName() + ENDING);
        this.before = file.resolveSibling(file.getFileName() + ENDING_BEFORE);
        this.table = table;
        this.clock = new StoreClock(table, ticker);
        this.part = Supervisor.current().part("key-store", where());
    }

    /** Some work, and what came of it. */
    private static final class Task<T> {
        private final Work<T> work;
        private final CompletableFuture<T> ended = new CompletableFuture<>();
        private @Nullable T done;

        Task(Work<T> work) {
            this.work = work;
        }

        void run(Connection connection, KeyRows rows, long now) throws SQLException {
            done = work.done(connection, rows, now);
        }

        void committed() {
            ended.complete(done);
        }
    }

    @Override
    public <T> T commit(Work<T> work) throws Failed, Unknown {
        Task<T> task = new Task<>(work);
        Duration longest = leasesEnded ? LONGEST : LONGEST_OPENING;
        begin(task);
        try {
            return task.ended.get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException thrown) {
            throw ending(thrown.getCause());
        } catch (TimeoutException late) {
            throw new Unknown(
                    Unknown.Cause.TIMEOUT,
                    "the file did not take it within " + longest.toSeconds() + " s; check the disk",
                    late);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new Unknown(Unknown.Cause.INTERRUPTED, "interrupted while the file was written", interrupt);
        }
    }

    private static Unknown ending(@Nullable Throwable thrown) throws Failed {
        return switch (thrown) {
            case Failed failed -> throw new Failed(failed.why(), String.valueOf(failed.getMessage()), failed);
            case SQLException sql -> StoreDatabase.unknown(sql);
            case null, default -> new Unknown(Unknown.Cause.ERROR, String.valueOf(thrown), thrown);
        };
    }

    private synchronized void begin(Task<?> task) throws Failed {
        if (closed) {
            throw new Failed(Failed.Cause.CONNECT, "no connection: the file is closed");
        }
        if (thread == null) {
            thread = part.start(Thread.ofPlatform().daemon().name("key-store"), this::carry);
        }
        tasks.add(task);
    }

    private void carry() throws InterruptedException {
        try {
            boolean more = true;
            while (more) {
                List<Task<?>> together = new ArrayList<>();
                together.add(tasks.take());
                tasks.drainTo(together, MOST_TOGETHER - 1);
                more = !together.removeIf(task -> task == END);
                commit(together);
            }
        } finally {
            closeFile();
        }
    }

    /** The last one: none is added after it. */
    private static final Task<Boolean> END = new Task<>((connection, rows, now) -> true);

    private void commit(List<Task<?>> together) {
        try {
            committed(together);
        } catch (Unanswered none) {
            together.forEach(task -> task.ended.completeExceptionally(none));
        } catch (Throwable broken) {
            closeFile();
            if (together.size() == 1) {
                together.getFirst().ended.completeExceptionally(broken);
            } else {
                together.forEach(task -> commit(List.of(task)));
            }
        }
    }

    private void committed(List<Task<?>> together) throws SQLException, Failed {
        if (together.isEmpty()) {
            return;
        }
        Connection own = opened();
        try {
            long now = clock.now(own);
            for (Task<?> task : together) {
                task.run(own, StoreDialect.SQLITE.rows(table.name()), now);
            }
            own.commit();
        } catch (Throwable thrown) {
            StoreDatabase.rollBack(own, thrown);
            throw thrown;
        }
        together.forEach(Task::committed);
    }

    private Connection opened() throws Failed {
        Connection open = connection;
        if (open == null) {
            try {
                open = open();
            } catch (SQLException none) {
                throw isInUse(none)
                        ? new Failed(
                                Failed.Cause.CONNECT,
                                "no connection: the file is in use by another process; stop that one, or give this one"
                                        + " another state file",
                                none)
                        : StoreDatabase.noConnection(none);
            } catch (IOException cannot) {
                throw new Failed(
                        Failed.Cause.CONNECT,
                        "no connection: the file " + file + " cannot be made: " + cannot.getMessage()
                                + "; check the folder and its owner",
                        cannot);
            }
            connection = open;
        }
        return open;
    }

    private static boolean isInUse(SQLException none) {
        return none instanceof SQLiteException known
                && (known.getResultCode().code & 0xff) == SQLiteErrorCode.SQLITE_BUSY.code;
    }

    private Connection open() throws SQLException, IOException, Failed {
        if (!Files.exists(file)) {
            refuseFileBefore();
            PrivateFiles.createFile(file);
            forceFolders();
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
            // Before the first access: then there is no file of shared memory beside it.
            statement.execute("pragma locking_mode = exclusive");
            statement.execute("pragma synchronous = full");
            statement.execute("pragma fullfsync = on");
            statement.execute("pragma checkpoint_fullfsync = on");
            try (ResultSet mode = statement.executeQuery("pragma journal_mode = wal")) {
                if (!mode.next() || !mode.getString(1).equals("wal")) {
                    throw new SQLException("the file system of " + file + " cannot keep a log beside it");
                }
            }
        }
        open.setAutoCommit(false);
        table.make(open, StoreDialect.SQLITE);
        if (!leasesEnded) {
            table.endLeases(open);
        }
        open.commit();
        leasesEnded = true;
    }

    private void refuseFileBefore() throws Failed {
        if (Files.exists(before)) {
            throw new Failed(
                    Failed.Cause.CONNECT,
                    "no connection: " + before.getFileName()
                            + " holds keys of an earlier version of Penstock, which are not"
                            + " read any more; without them a repeat is sent twice. Remove the file when its keys are old"
                            + " enough");
        }
    }

    /** The entry of a new file in its folder, and that of a new folder, have to outlive a power cut too. */
    private void forceFolders() throws IOException {
        for (Path folder = file.getParent(); folder != null; folder = folder.getParent()) {
            try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
                entries.force(true);
            } catch (IOException notHere) {
                // No folder can be forced on Windows, and none that we may not read; we did not make that one.
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
            } catch (Throwable later) { // an Error too: those who wait are told what became of their tasks
                LOG.warn(
                        "the file of keys {} was not closed well ({}); it is put right when it is opened", file, later);
            }
        }
    }

    /** Where it is, in one short line. */
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
                running.join(Duration.ofSeconds(2L * KeyRows.MOST_SECONDS));
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
            }
        }
        part.close();
    }
}
