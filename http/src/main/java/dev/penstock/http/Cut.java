package dev.penstock.http;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Closes a connection when its time is up, whatever it is doing then: a limit on single reads would be met by a peer that
 * sends a byte now and then. Exactly one of {@link #over} and the closing takes place, so that a connection which has
 * gone back to its pool is never closed under its next user.
 */
final class Cut {
    private enum State {
        RUNNING,
        OVER,
        CUT
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.RUNNING);
    private final Future<?> timer;

    Cut(ScheduledExecutorService watch, long nanos, Runnable closing) {
        this.timer = watch.schedule(() -> run(closing), nanos, TimeUnit.NANOSECONDS);
    }

    private void run(Runnable closing) {
        if (state.compareAndSet(State.RUNNING, State.CUT)) {
            closing.run();
        }
    }

    /** Ends the watch; true when the time was not up before. */
    boolean over() {
        timer.cancel(false);
        return state.compareAndSet(State.RUNNING, State.OVER) || state.get() == State.OVER;
    }

    /** Whether the time was up. */
    boolean happened() {
        return state.get() == State.CUT;
    }
}
