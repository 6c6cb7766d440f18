package dev.penstock.races.overload;

import dev.penstock.Ticker;
import dev.penstock.Unknown;
import java.time.Duration;

/**
 * A stage that takes CPU time: each request waits 20 ms, as for a database, and then takes 4 ms of a core. So one at a time
 * takes 24 ms, and all together get 250/s out of each core, less what anything else needs. It runs in the JVM of whoever
 * guards it: the cores that reject are those that work.
 *
 * <p>It closes at a time that is set beforehand, and then ends all that is in it: ten thousand threads at work would keep a
 * block from ever ending. Safe for many threads.
 */
final class CpuStage implements Stage {
    /** How long each request waits. */
    static final Duration WAIT = Duration.ofMillis(20);

    /** How much CPU time each request takes. */
    static final Duration CPU = Duration.ofMillis(4);

    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();

    private final CpuWork work;
    private final long waitNanos;
    private final Ticker ticker;
    private final long right;
    private volatile long closesAt;

    /**
     * A stage that is open for an hour unless it is told.
     *
     * @param work what each request takes, see {@link #CPU}
     * @param wait before that, see {@link #WAIT}
     * @param ticker its clock
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
                throw new InterruptedException("interrupted while it waited");
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
