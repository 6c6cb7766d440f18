package dev.penstock.races.jdbcidle;

import dev.penstock.Ticker;
import dev.penstock.lab.simulate.tcp.TcpFault;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import dev.penstock.races.jdbcidle.JdbcIdleContestants.Pool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A pool behind a path of its own, with a number of callers. */
final class PoolSubject implements AutoCloseable {
    /** Callers that have no answer by then count as hanging. HikariCP gives up after 30 s. */
    private static final Duration PATIENCE = Duration.ofSeconds(35);

    final JdbcIdleContestants contestant;
    final TcpSimulator path;
    final Pool pool;
    private final int callers;
    private final CyclicBarrier allArrived;

    /** Takes the path and the pool, and closes them. */
    PoolSubject(JdbcIdleContestants contestant, int callers, TcpSimulator path, Pool pool) {
        this.contestant = contestant;
        this.callers = callers;
        this.path = path;
        this.pool = pool;
        this.allArrived = new CyclicBarrier(callers, () -> {
            try {
                path.inject(new TcpFault.Blackhole());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** What each caller does. */
    @FunctionalInterface
    interface Call {
        void by(PoolSubject subject) throws SQLException;
    }

    /** The path falls silent as soon as all callers have come here. */
    void silence() {
        try {
            allArrived.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Everybody calls at once. Returns the worst time in ms, and the number of errors. */
    String burst(Call call) throws InterruptedException {
        AtomicInteger ended = new AtomicInteger();
        AtomicInteger errors = new AtomicInteger();
        AtomicLong worst = new AtomicLong();
        long start = Ticker.SYSTEM.nanos();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    call.by(this);
                } catch (SQLException | RuntimeException failed) {
                    errors.incrementAndGet();
                }
                worst.accumulateAndGet((Ticker.SYSTEM.nanos() - start) / 1_000_000, Math::max);
                ended.incrementAndGet();
            }));
        }
        for (Thread thread : threads) {
            long left = PATIENCE.toNanos() - (Ticker.SYSTEM.nanos() - start);
            boolean _ = thread.join(Duration.ofNanos(Math.max(1, left)));
        }
        String time = ended.get() < callers ? "hangs" : String.valueOf(worst.get());
        return errors.get() == 0 ? time : time + " (" + errors.get() + " errors)";
    }

    @Override
    public void close() {
        path.close();
        pool.close();
    }
}
