package dev.penstock.races.overload;

import dev.penstock.Ticker;
import dev.penstock.Unknown;
import java.time.Duration;

/**
 * A CPU-bound stage: each request waits 20 ms, as for a database, and then uses 4 ms of a core. A single request takes
 * 24 ms; the maximum throughput is 250/s per core, minus what other work needs. The stage runs in the contestant's JVM,
 * so that the same cores work and reject.
 *
 * <p>It closes at a preset time and then ends all requests in it: otherwise ten thousand working threads would keep a
 * block from ending. Thread-safe.
 */
final class CpuStage implements Stage {
    /** The wait of each request. */
    static final Duration WAIT = Duration.ofMillis(20);

    /** The CPU time of each request. */
    static final Duration CPU = Duration.ofMillis(4);

    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();

    private final CpuWork work;
    private final long waitNanos;
    private final Ticker ticker;
    private final long right;
    private volatile long closesAt;

    /**
     * A stage that is open for an hour, unless {@link #closeAt} is called.
     *
     * @param work of each request, see {@link #CPU}
     * @param wait before the work, see {@link #WAIT}
     * @param ticker the clock
     */
    CpuStage(CpuWork work, Duration wait, Ticker ticker) {
        this.work = work;
        this.waitNanos = wait.toNanos();
        this.ticker = ticker;
        this.right = work.end();
        this.closesAt = ticker.nanos() + HOUR_NANOS;
    }

    @Override
    public void closeAt(long nanos) {
        closesAt = nanos;
    }

    @Override
    public Long call(Long request) throws Unknown, InterruptedException {
        for (long until = ticker.nanos() + waitNanos; until - ticker.nanos() > 0; ) {
            ticker.parkUntil(until);
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while waiting");
            }
        }
        long chain = 1;
        for (int i = 0; i < work.pieces(); i++) {
            if (ticker.nanos() - closesAt >= 0) {
                throw new Unknown(Unknown.Cause.CLOSED, "the stage has closed");
            }
            chain = CpuWork.piece(chain);
        }
        return chain;
    }

    /** Whether an answer shows that all of the work was done. */
    @Override
    public boolean isRight(Long answer) {
        return answer == right;
    }
}
