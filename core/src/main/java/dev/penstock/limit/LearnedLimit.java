package dev.penstock.limit;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps how many permits a limit has learned to give, so that the next process starts from that. A process may be killed at any
 * time, so a value that differs by 5 % or more is written while calls end, at most once in {@value #PAUSE_NANOS} ns, on a thread
 * of its own: no caller waits for a disk.
 *
 * <p>Safe for many threads.
 */
public final class LearnedLimit {
    static final long PAUSE_NANOS = 1_000_000_000;

    private static final double WORTH_WRITING = 0.05;

    private final Consumer<String> keeper;
    private final Executor writer;
    private final AtomicBoolean writing = new AtomicBoolean();
    private volatile int kept;
    private volatile long next;
    private volatile boolean offered;

    /**
     * A value that outlives the process.
     *
     * @param kept what an earlier process kept; null for nothing
     * @param keeper writes it; may wait for a disk
     */
    public LearnedLimit(@Nullable String kept, Consumer<String> keeper) {
        this(kept, keeper, Thread::startVirtualThread);
    }

    LearnedLimit(@Nullable String kept, Consumer<String> keeper, Executor writer) {
        this.keeper = keeper;
        this.writer = writer;
        this.kept = parse(kept);
    }

    /** How many permits an earlier process learned; 0 when that is not known. */
    public int permits() {
        return kept;
    }

    private static int parse(@Nullable String value) {
        try {
            int permits = value == null ? 0 : Integer.parseInt(value);
            return permits < 1 || permits > FixedLimit.MOST ? 0 : permits;
        } catch (NumberFormatException garbled) {
            return 0;
        }
    }

    /** Keeps a value soon, if it differs enough from the one that is kept. Never waits. */
    void offer(int permits, long now) {
        if (!isWorthWriting(permits) || (offered && now - next < 0) || !writing.compareAndSet(false, true)) {
            return;
        }
        offered = true;
        next = now + PAUSE_NANOS;
        writer.execute(() -> {
            try {
                keep(permits);
            } finally {
                writing.set(false);
            }
        });
    }

    private boolean isWorthWriting(int permits) {
        return permits > 0 && Math.abs(permits - kept) > WORTH_WRITING * kept;
    }

    /** Keeps a value now; 0 is none, and keeps the one before. */
    void keep(int permits) {
        if (permits > 0) {
            kept = permits;
            keeper.accept(Integer.toString(permits));
        }
    }
}
