package dev.penstock.races.survive;

import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Hands out transactions to callers by number, and begins and ends each fault at its transaction.
 *
 * <p>Thread-safe.
 */
final class Director {
    private static final long MAX_IDLE_WAIT_NANOS =
            FaultPlan.DEADLINE.plus(Experiment.GRACE).toNanos();

    private final FaultPlan schedule;
    private final SystemUnderTest system;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private int next;
    private int inFlight;
    private @Nullable IOException broken;

    Director(FaultPlan schedule, SystemUnderTest system) {
        this.schedule = schedule;
        this.system = system;
    }

    /**
     * Begins the next transaction and returns its number; -1 if there is none left, or if the calling thread was
     * interrupted.
     */
    int next() {
        lock.lock();
        try {
            if (next >= schedule.transactions()) {
                return -1;
            }
            for (FaultPlan.Step step : schedule.steps()) {
                if (step.until() == next) {
                    system.heal();
                }
                if (step.from() == next) {
                    awaitIdle(step);
                    system.begin(step);
                }
            }
            inFlight++;
            return next++;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return -1;
        } catch (IOException e) {
            broken = e;
            return -1;
        } finally {
            lock.unlock();
        }
    }

    /** Records the start of a call that is not a new transaction. */
    void begins() {
        lock.lock();
        try {
            inFlight++;
        } finally {
            lock.unlock();
        }
    }

    /** Records the end of a call. */
    void ended() {
        lock.lock();
        try {
            inFlight--;
            idle.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends the last fault if it is still active. No transaction begins after that.
     *
     * @throws IOException also if an earlier fault could not begin or end
     */
    void finish() throws IOException {
        lock.lock();
        try {
            next = schedule.transactions();
            system.heal();
            if (broken != null) {
                throw new IOException("a fault in the schedule could not begin or end: " + broken.getMessage(), broken);
            }
        } finally {
            lock.unlock();
        }
    }

    private void awaitIdle(FaultPlan.Step step) throws InterruptedException {
        if (step.fault() != Fault.CLOSED_WHILE_IDLE) {
            return;
        }
        long left = MAX_IDLE_WAIT_NANOS;
        while (inFlight > 0 && left > 0) {
            left = idle.awaitNanos(left);
        }
    }
}
