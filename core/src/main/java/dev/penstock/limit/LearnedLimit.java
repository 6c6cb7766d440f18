package dev.penstock.limit;

import dev.penstock.state.StateFile;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps in a state file how many permits a limit has learned to give, so that the next process starts from that. A process
 * may be killed at any time, so a value that has changed by 5 % or more is written at most {@value #PAUSE_NANOS} ns later,
 * on a thread of its own: no caller waits for a disk.
 *
 * <p>Safe for many threads.
 */
public final class LearnedLimit {
    static final long PAUSE_NANOS = 1_000_000_000;

    private static final double WORTH_WRITING = 0.05;

    private final StateFile state;
    private final String name;
    private final Executor writer;
    private final AtomicBoolean writing = new AtomicBoolean();
    private volatile int kept;
    private volatile long next;
    private volatile boolean offered;

    /**
     * A value of a state file.
     *
     * @param state where it is kept
     * @param name under which, made of any text
     */
    public LearnedLimit(StateFile state, String name) {
        this(state, name, Thread::startVirtualThread);
    }

    LearnedLimit(StateFile state, String name, Executor writer) {
        this.state = state;
        this.name = StateFile.name(name);
        this.writer = writer;
        this.kept = read();
    }

    /** How many permits an earlier process learned; 0 when that is not known. */
    public int permits() {
        return kept;
    }

    private int read() {
        String value = state.value(name);
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
            state.keep(name, Integer.toString(permits));
        }
    }
}
