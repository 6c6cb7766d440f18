package dev.penstock.limit;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stores the learned number of permits, so that the next process starts with it. Since a process may be killed at any time, a
 * value that differs by more than 5 % is written while calls end, at most once in {@value #PAUSE_NANOS} ns, on a separate thread:
 * no caller waits for a disk. Thread-safe.
 */
public final class LearnedLimit {
    static final long PAUSE_NANOS = 1_000_000_000;

    private static final double MIN_CHANGE = 0.05;

    private final Consumer<String> keeper;
    private final Executor writer;
    private final AtomicBoolean writing = new AtomicBoolean();
    private volatile int stored;
    private volatile @Nullable Long next;

    /** The value stored by an earlier process, null for none, and what writes a value; it may block on a disk. */
    public LearnedLimit(@Nullable String stored, Consumer<String> keeper) {
        this(
                stored,
                keeper,
                write -> Thread.ofVirtual().name("penstock-learned-limit").start(write));
    }

    LearnedLimit(@Nullable String stored, Consumer<String> keeper, Executor writer) {
        this.keeper = keeper;
        this.writer = writer;
        this.stored = parse(stored);
    }

    /** The number of permits learned by an earlier process; 0 when it is not known. */
    public int permits() {
        return stored;
    }

    private static int parse(@Nullable String value) {
        int permits = value != null && value.matches("\\d{1,7}") ? Integer.parseInt(value) : 0;
        return permits > FixedLimit.MOST ? 0 : permits;
    }

    /** Stores a value soon, if it differs enough from the stored one. Never blocks. */
    void offer(int permits, long now) {
        Long earliest = next;
        boolean differs = permits > 0 && Math.abs(permits - stored) > MIN_CHANGE * stored;
        if (!differs || (earliest != null && now - earliest < 0) || !writing.compareAndSet(false, true)) {
            return;
        }
        next = now + PAUSE_NANOS;
        writer.execute(() -> {
            try {
                keep(permits);
            } finally {
                writing.set(false);
            }
        });
    }

    /** Stores a value now; 0 changes nothing. */
    void keep(int permits) {
        if (permits > 0) {
            stored = permits;
            keeper.accept(Integer.toString(permits));
        }
    }
}
