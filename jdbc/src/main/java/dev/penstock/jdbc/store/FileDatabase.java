package dev.penstock.jdbc.store;

import dev.penstock.Failed;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An SQLite file that only this process uses.
 *
 * <h2>Design note</h2>
 *
 * <p>One thread owns the only connection. All waiting batches are committed together, by one write to the write-ahead
 * log and one fdatasync: {@code journal_mode = wal} and {@code synchronous = full}. The thread is a platform thread,
 * since SQLite would pin the carrier of a virtual thread during a sync.
 *
 * <p>After an error the file is closed and opened again. That checkpoints the log into the file; after a failed sync it
 * is unknown which part of the log is on the disk.
 *
 * <p>A failed write is an outage, which ends with the next write. While it lasts, each question for it starts one.
 *
 * <p>Thread-safe.
 */
final class FileDatabase implements StoreDatabase {
    private static final Logger LOG = LoggerFactory.getLogger("penstock.keys");
    private static final Duration TIMEOUT = Duration.ofSeconds(KeyRows.QUERY_TIMEOUT_SECONDS);

    /** The first access loads a native library, and may have to recover a long log. */
    private static final Duration OPEN_TIMEOUT = Duration.ofMinutes(1);

    private static final int MAX_BATCHES = 16;

    private final KeyFile file;
    private final KeyTable table;
    private final StoreClock clock;
    private final BlockingQueue<Task<?>> tasks = new LinkedBlockingQueue<>();
    private final Part part;
    private @Nullable Thread thread;
    private final AtomicBoolean probing = new AtomicBoolean();
    private volatile @Nullable String outage;
    private boolean closed;
    private @Nullable Connection connection;

    /**
     * Does not open the file yet.
     *
     * @param file its path without the extension {@code .db}
     */
    FileDatabase(Path file, KeyTable table, Ticker ticker) {
        this.file = new KeyFile(file, table);
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
        Duration timeout = file.wasOpened() ? TIMEOUT : OPEN_TIMEOUT;
        enqueue(task);
        try {
            return task.future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException thrown) {
            throw ending(thrown.getCause());
        } catch (TimeoutException late) {
            failed("not written within " + timeout.toSeconds() + " s");
            throw new Unknown(
                    Unknown.Cause.TIMEOUT,
                    "the file was not written within " + timeout.toSeconds() + " s; check the disk",
                    late);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new Unknown(Unknown.Cause.INTERRUPTED, "interrupted while writing the file", interrupt);
        }
    }

    private void failed(String reason) {
        String before = outage;
        outage = file.failure(reason);
        if (before == null) {
            LOG.error("{}; what needs it is rejected until it can be written", outage);
        }
    }

    private void written() {
        outage = null;
        LOG.info("the key store {} works again", where());
    }

    @Override
    public @Nullable String outage() {
        String now = outage;
        if (now != null && probing.compareAndSet(false, true)) {
            Task<Boolean> probe = new Task<>((open, rows, at) -> table.touch(open));
            var _ = probe.future.whenComplete((wrote, thrown) -> {
                probing.set(false);
                if (thrown == null) {
                    written();
                }
            });
            try {
                enqueue(probe);
            } catch (Failed closedAlready) {
                return null;
            }
        }
        return now;
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
            thread = part.start(Thread.ofPlatform().daemon().name("penstock-key-store"), this::run);
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
            failed(String.valueOf(failed.getMessage()));
            batch.forEach(task -> task.future.completeExceptionally(failed));
        } catch (Throwable broken) {
            closeFile();
            if (batch.size() == 1) {
                failed(broken instanceof SQLException sql ? StoreDatabase.describe(sql) : broken.toString());
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
        Connection open = connection == null ? file.open() : connection;
        connection = open;
        return open;
    }

    private void closeFile() {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try {
                open.close();
            } catch (Throwable failed) { // also an Error: the callers must still get the outcome of their tasks
                LOG.warn("closing the key {} failed ({}); SQLite recovers it when it is opened", where(), failed);
            }
        }
    }

    /** The name of the file, in one short line. */
    String where() {
        return file.where();
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
            Part.join(running, Duration.ofSeconds(2L * KeyRows.QUERY_TIMEOUT_SECONDS));
        }
        part.close();
    }
}
