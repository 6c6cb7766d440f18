package dev.penstock.races.jdbcbatch;

import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.races.jdbcbatch.JdbcBatchContestants.Inserter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Batching for one table, as well as it can be written by hand: several threads, each of which takes the waiting rows
 * ({@value #MAX} at most), writes them with {@code executeBatch} and one commit, and answers each caller. No timer:
 * rows that arrive during a commit form the next batch.
 */
final class HandWritten implements Inserter {
    static final int MAX = 100;

    /** The best of 1, 2, 3, 4 and 6 for 200 callers, on a fast disk and a slow one. */
    static final int WRITERS = 6;

    private static final int MAX_WAITING = 20_000;

    private record Row(long id, CompletableFuture<Boolean> answer) {}

    private final HikariDataSource pool;
    private final BlockingQueue<Row> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
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
            throw new Rejected(Rejected.Cause.QUEUE, MAX_WAITING + " rows are waiting");
        }
        try {
            return row.answer.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Unanswered ending
                    ? ending
                    : new Unknown(Unknown.Cause.ERROR, String.valueOf(e.getMessage()), e);
        }
    }

    private void write() {
        List<Row> rows = new ArrayList<>(MAX);
        while (!Thread.currentThread().isInterrupted()) {
            rows.clear();
            try {
                rows.add(waiting.take());
                waiting.drainTo(rows, MAX - 1);
                commit(rows);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    @SuppressWarnings("IllegalCatch") // waiting callers must be answered in any case
    private void commit(List<Row> rows) {
        try {
            Sql.insertAll(pool, rows.stream().map(Row::id).toList());
            rows.forEach(row -> row.answer.complete(true));
        } catch (Unanswered | RuntimeException e) {
            rows.forEach(row -> row.answer.completeExceptionally(e));
        }
    }

    @Override
    public void close() {
        writers.forEach(Thread::interrupt);
        pool.close();
        List<Row> left = new ArrayList<>();
        waiting.drainTo(left);
        left.forEach(row -> row.answer.completeExceptionally(new Failed(Failed.Cause.UNDONE, "the pool was closed")));
    }
}
