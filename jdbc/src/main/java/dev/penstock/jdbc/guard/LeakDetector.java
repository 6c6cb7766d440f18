package dev.penstock.jdbc.guard;

import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports connections that are not given back in time, once with the stack trace of the borrower, and once more if the
 * connection is given back later. Thread-safe.
 */
final class LeakDetector {
    /** Classes of the pool, which are removed from the top of the stack trace. */
    private static final Set<String> OURS = Set.of(
            LeakDetector.class.getName(),
            Loan.class.getName(),
            LeasedConnection.class.getName(),
            GuardedDataSource.class.getName());

    private final long after;
    private final BiConsumer<String, Throwable> report;
    private final Set<Loan> loans = ConcurrentHashMap.newKeySet();
    private final AtomicInteger overdue = new AtomicInteger();

    /** A borrowed connection. */
    final class Loan {
        private final long since;
        private final String thread = Thread.currentThread().toString();
        private final Throwable borrowed = borrower();
        private boolean isReported;
        private boolean isReturned;

        private Loan(long since) {
            this.since = since;
        }

        private synchronized void check(long now) {
            if (!isReported && !isReturned && now - since >= after) {
                isReported = true;
                overdue.incrementAndGet();
                report.accept(
                        "apparent connection leak: borrowed " + Durations.format(Duration.ofNanos(now - since))
                                + " ago by " + thread + " and not closed since; the stack trace shows the borrower",
                        borrowed);
            }
        }

        /** The connection was closed or aborted. Idempotent. */
        synchronized void returned(long now) {
            loans.remove(this);
            if (isReported && !isReturned) {
                overdue.decrementAndGet();
                report.accept(
                        "no connection leak: the connection reported as leaked was closed, "
                                + Durations.format(Duration.ofNanos(now - since)) + " after it was borrowed by "
                                + thread,
                        borrowed);
            }
            isReturned = true;
        }
    }

    /** The current stack trace, without the pool's own frames. */
    private static Throwable borrower() {
        Throwable trace = new Throwable("borrowed here");
        trace.setStackTrace(Arrays.stream(trace.getStackTrace())
                .dropWhile(frame -> OURS.contains(frame.getClassName()))
                .toArray(StackTraceElement[]::new));
        return trace;
    }

    /**
     * Without borrowed connections.
     *
     * @param after how long a connection may be in use; null to disable the detection
     * @param report receives a message and the stack trace of the borrower
     */
    LeakDetector(@Nullable Duration after, BiConsumer<String, Throwable> report) {
        this.after = after == null ? 0 : Durations.nanos(after);
        this.report = report;
    }

    boolean isOn() {
        return after > 0;
    }

    /** A connection was borrowed by the calling thread; null if the detection is disabled. */
    @Nullable
    Loan borrowed(long now) {
        if (!isOn()) {
            return null;
        }
        Loan loan = new Loan(now);
        loans.add(loan);
        return loan;
    }

    /** Reports connections in use for too long. */
    void check(long now) {
        loans.forEach(loan -> loan.check(now));
    }

    /** The number of reported connections still in use. */
    int overdue() {
        return overdue.get();
    }
}
