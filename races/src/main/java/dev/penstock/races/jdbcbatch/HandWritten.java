package dev.penstock.races.jdbcbatch;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A batch for one table, as good as it can be written by hand: a few threads, each of which takes what waits, {@value #MOST} at
 * most, by {@code executeBatch} and one commit, and tells each caller. No timer: what comes while a commit is under way is the
 * next batch.
 */
final class HandWritten implements Inserter {
    static final int MOST = 100;

    /** The best of 1, 2, 3, 4 and 6 for 200 callers, on a fast disk and a slow one. */
    static final int WRITERS = 6;

    private static final int MOST_WAITING = 20_000;

    private record Row(long id, CompletableFuture<Boolean> told) {}

    private final HikariDataSource pool;
    private final BlockingQueue<Row> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final List<Thread> writers = new ArrayList<>();

    HandWritten(String url) {
        this(url, WRITERS);
    }

    HandWritten(String url, int threads) {
        pool = Sql.pool(url);
        for (int i = 0; i < threads; i++) {
            writers.add(Thread.ofPlatform().daemon().name("writer-" + i).start(this::write));
        }
    }

    @Override
    public Boolean call(Long id) throws Exception {
        Row row = new Row(id, new CompletableFuture<>());
        if (!waiting.offer(row)) {
            throw new Rejected(Rejected.Cause.QUEUE, MOST_WAITING + " rows are waiting");
        }
        try {
            return row.told.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Unanswered ending
                    ? ending
                    : new Unknown(Unknown.Cause.ERROR, String.valueOf(e.getMessage()), e);
        }
    }

    private void write() {
        List<Row> rows = new ArrayList<>(MOST);
        while (!Thread.currentThread().isInterrupted()) {
            rows.clear();
            try {
                rows.add(waiting.take());
                waiting.drainTo(rows, MOST - 1);
                commit(rows);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    @SuppressWarnings("IllegalCatch") // whatever it is, those who wait have to be told
    private void commit(List<Row> rows) {
        try {
            Sql.insertAll(pool, rows.stream().map(Row::id).toList());
            rows.forEach(row -> row.told.complete(true));
        } catch (Unanswered | RuntimeException e) {
            rows.forEach(row -> row.told.completeExceptionally(e));
        }
    }

    @Override
    public void close() {
        writers.forEach(Thread::interrupt);
        pool.close();
        List<Row> left = new ArrayList<>();
        waiting.drainTo(left);
        left.forEach(row -> row.told.completeExceptionally(new Failed(Failed.Cause.UNDONE, "it was closed")));
    }
}
