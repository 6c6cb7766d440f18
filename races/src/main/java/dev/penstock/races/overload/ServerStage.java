package dev.penstock.races.overload;

import dev.penstock.Ticker;
import dev.penstock.Unknown;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A remote stage, such as a database, which uses no CPU time here: {@value #SERVERS} servers and a queue in front of
 * them. Each request takes an exponentially distributed time with a mean of 50 ms, so the capacity is 800 answers per
 * second. Beyond a given concurrency (including the queue), each takes twice as long: throughput halves and stays low
 * until the concurrency falls.
 *
 * <p>It closes at a preset time and then ends all requests in it.
 */
final class ServerStage implements Stage {
    /** The maximum answers per second. */
    static final double CAPACITY = 800;

    private static final int SERVERS = 40;
    private static final double MEAN_NANOS = SERVERS / CAPACITY * 1e9;
    private static final long HOUR_NANOS = Duration.ofHours(1).toNanos();

    private final int slowBeyond;
    private final Ticker ticker;
    private final Semaphore servers = new Semaphore(SERVERS, true);
    private final AtomicInteger inside = new AtomicInteger();
    private volatile long closesAt;

    /**
     * A stage that is open for an hour, unless {@link #closeAt} is called.
     *
     * @param slowBeyond the concurrency beyond which it becomes slow
     * @param ticker the clock
     */
    ServerStage(int slowBeyond, Ticker ticker) {
        this.slowBeyond = slowBeyond;
        this.ticker = ticker;
        this.closesAt = ticker.nanos() + HOUR_NANOS;
    }

    static String describe(int slowBeyond) {
        String slow =
                slowBeyond == Integer.MAX_VALUE ? "" : ", twice that with more than " + slowBeyond + " concurrent";
        return "each request takes 50 ms on average (exponential) at one of %d servers%s".formatted(SERVERS, slow);
    }

    @Override
    public void closeAt(long nanos) {
        closesAt = nanos;
    }

    @Override
    public Long call(Long request) throws Unknown, InterruptedException {
        inside.incrementAndGet();
        try {
            if (!servers.tryAcquire(closesAt - ticker.nanos(), TimeUnit.NANOSECONDS)) {
                throw closed();
            }
            try {
                serve();
            } finally {
                servers.release();
            }
            return request;
        } finally {
            inside.decrementAndGet();
        }
    }

    private void serve() throws Unknown, InterruptedException {
        double mean = inside.get() > slowBeyond ? 2 * MEAN_NANOS : MEAN_NANOS;
        long until = ticker.nanos() + (long) (mean * ThreadLocalRandom.current().nextExponential());
        while (until - ticker.nanos() > 0) {
            if (closesAt - ticker.nanos() <= 0) {
                throw closed();
            }
            ticker.parkUntil(Math.min(until, closesAt));
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while being served");
            }
        }
    }

    private static Unknown closed() {
        return new Unknown(Unknown.Cause.CLOSED, "the stage has closed");
    }

    @Override
    public boolean isRight(Long answer) {
        return answer >= 0;
    }
}
