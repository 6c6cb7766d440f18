package dev.penstock.supervise;

import static dev.penstock.supervise.Supervisor.FIRST_PAUSE;
import static dev.penstock.supervise.Supervisor.LONGEST_PAUSE;
import static dev.penstock.supervise.Supervisor.MEMORY;
import static dev.penstock.supervise.Supervisor.TOO_OFTEN;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A long-lived thread or a periodic task of a {@link Supervisor}.
 *
 * <p>After a failure a thread pauses for 100 ms, twice as long each further time, at most 10 s. A minute without a failure
 * starts over with the first pause. While it pauses, or with three failures within a minute, it is reported as down.
 *
 * <p>Nothing is allocated or locked until something fails. Safe for many threads.
 */
public final class Part implements AutoCloseable {
    /** Long-lived work. */
    @FunctionalInterface
    public interface Work {
        /**
         * Runs until its owner closes it. After anything it throws it is called again, so it first closes what it opened.
         *
         * @throws Exception the work failed
         */
        void run() throws Exception;
    }

    private final Supervisor supervisor;
    private final String name;
    private final String where;
    private final AtomicLong faults;
    private volatile boolean closed;
    private volatile @Nullable Thread thread;
    // The fields below are guarded by the monitor of this part.
    /** The times of the last failures; the oldest is at {@code failures % TOO_OFTEN} once there are that many. */
    private final long[] times = new long[TOO_OFTEN];

    private int failures;
    private boolean paused;
    private long pausedUntil;
    private long loggedAt;
    private @Nullable Throwable last;

    Part(Supervisor supervisor, String name, String where, AtomicLong faults) {
        this.supervisor = supervisor;
        this.name = name;
        this.where = where;
        this.faults = faults;
        this.loggedAt = supervisor.ticker().nanos() - LONGEST_PAUSE.toNanos();
    }

    /**
     * Starts a thread that runs the work until it returns or this part is closed.
     *
     * @throws OutOfMemoryError the system has no thread left; the part is closed then
     */
    public Thread start(Thread.Builder threads, Work work) {
        Thread made = threads.unstarted(() -> keepRunning(work));
        thread = made;
        try {
            made.start();
        } catch (Throwable noThread) {
            close();
            throw noThread;
        }
        return made;
    }

    private void keepRunning(Work work) {
        while (!closed) {
            try {
                pause();
                if (!closed) {
                    work.run();
                    close();
                }
            } catch (Throwable failure) { // an Error too: no one else runs the work again
                if (!closed) {
                    record("it runs again after a pause", failure, true);
                }
            }
        }
    }

    /** Makes a task safe to schedule: a failure is recorded, and the task is not cancelled. */
    public Runnable periodic(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable failure) { // a scheduler would cancel the task and report nothing
                record("its next run is not affected", failure, false);
            }
        };
    }

    /**
     * Records a failure from which the part recovers without this class. Throws nothing.
     *
     * @param then what happens next, for the log
     */
    public void failed(String then, Throwable failure) {
        record(then, failure, false);
    }

    /**
     * Counts and logs a failure that ended one call or one connection. It does not affect readiness, as the part itself
     * runs on. Throws nothing.
     *
     * @param then what happens next, for the log
     */
    public void failedOnce(String then, Throwable failure) {
        try {
            faults.incrementAndGet();
            log(then, failure);
        } catch (Throwable noMemory) {
            // The failure is counted; there is no memory to log it.
        }
    }

    private void record(String then, Throwable failure, boolean pauses) {
        remember(failure, pauses);
        try {
            supervisor.add(this);
            if (closed) { // meanwhile
                supervisor.remove(this);
            }
        } catch (Throwable noMemory) {
            // The work runs again nevertheless; readiness does not show this failure.
        }
        failedOnce(then, failure);
    }

    private synchronized void remember(Throwable failure, boolean pauses) {
        long now = supervisor.ticker().nanos();
        forget(now);
        long pause = FIRST_PAUSE.toNanos() << Math.min(failures, 10);
        times[failures % TOO_OFTEN] = now;
        failures++;
        last = failure;
        paused = pauses;
        pausedUntil = now + Math.min(pause, LONGEST_PAUSE.toNanos());
    }

    private void forget(long now) {
        if (failures > 0 && now - times[(failures - 1) % TOO_OFTEN] > MEMORY.toNanos()) {
            failures = 0;
            last = null;
        }
    }

    /** Logs the first failures, and later ones at most once in 10 s, since a task may fail on every run. */
    private void log(String then, Throwable failure) {
        long now = supervisor.ticker().nanos();
        synchronized (this) {
            if (faults.get() > TOO_OFTEN && now - loggedAt < LONGEST_PAUSE.toNanos()) {
                return;
            }
            loggedAt = now;
        }
        Supervisor.log()
                .error(
                        "{} ({}) failed: {}; {}; {} failures of this kind so far. Report it as a bug, unless memory or file"
                                + " descriptors ran out, or a jar is missing",
                        name,
                        where,
                        failure,
                        then,
                        faults,
                        failure);
    }

    private void pause() {
        long until;
        synchronized (this) {
            if (!paused) {
                return;
            }
            until = pausedUntil;
        }
        while (!closed && supervisor.ticker().nanos() - until < 0) {
            boolean _ = Thread.interrupted(); // or it would not park
            supervisor.ticker().parkUntil(until);
        }
        synchronized (this) {
            paused = false;
        }
    }

    synchronized Optional<String> down() {
        long now = supervisor.ticker().nanos();
        forget(now);
        if (paused) {
            return Optional.of(name + " (" + where + ") is down: " + last);
        }
        boolean often = failures >= TOO_OFTEN && now - times[failures % TOO_OFTEN] <= MEMORY.toNanos();
        return often
                ? Optional.of("%s (%s) failed %d times or more within %d s, last: %s"
                        .formatted(name, where, TOO_OFTEN, MEMORY.toSeconds(), last))
                : Optional.empty();
    }

    /** Waits until a thread has ended, even if this one is interrupted; it stays interrupted then. */
    public static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until a thread has ended, but not longer than this, and not if this one is interrupted. */
    public static void join(Thread thread, Duration atMost) {
        try {
            boolean _ = thread.join(atMost);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends a pause, and does not run the work again. Work that runs now is ended by its owner. */
    @Override
    public void close() {
        closed = true;
        supervisor.remove(this);
        Thread running = thread;
        if (running != null) {
            LockSupport.unpark(running);
        }
    }
}
