package dev.penstock.jdbc.guard;

import dev.penstock.Durations;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports connections that are not given back in time, each once with the stack trace of its borrower, and once more when it
 * comes back after all. Safe for many threads.
 */
final class LeakDetector {
    /** Where a connection comes from, rather than who borrowed it. */
    private static final Set<String> OURS = Set.of(
            LeakDetector.class.getName(),
            Loan.class.getName(),
            LeasedConnection.class.getName(),
            GuardedDataSource.class.getName());

    private final long after;
    private final BiConsumer<String, Throwable> report;
    private final Set<Loan> loans = ConcurrentHashMap.newKeySet();
    private final AtomicInteger overdue = new AtomicInteger();

    /** A connection that is out. */
    final class Loan {
        private final long since;
        private final String thread = Thread.currentThread().toString();
        private final Throwable borrowed = borrower();
        private boolean isReported;
        private boolean isBack;

        private Loan(long since) {
            this.since = since;
        }

        private synchronized void look(long now) {
            if (!isReported && !isBack && now - since >= after) {
                isReported = true;
                overdue.incrementAndGet();
                report.accept(
                        "a connection was borrowed " + Durations.words(Duration.ofNanos(now - since)) + " ago by "
                                + thread + " and is not closed: perhaps a leak, see who borrowed it",
                        borrowed);
            }
        }

        /** It is closed, or ended. Does nothing the second time. */
        synchronized void back(long now) {
            loans.remove(this);
            if (isReported && !isBack) {
                overdue.decrementAndGet();
                report.accept(
                        "a connection that was reported as perhaps leaked is closed, "
                                + Durations.words(Duration.ofNanos(now - since)) + " after it was borrowed by " + thread
                                + ": no leak, but long in use",
                        borrowed);
            }
            isBack = true;
        }
    }

    /** What was on the stack, without the pool's own frames. */
    private static Throwable borrower() {
        Throwable trace = new Throwable("borrowed here");
        trace.setStackTrace(Arrays.stream(trace.getStackTrace())
                .dropWhile(frame -> OURS.contains(frame.getClassName()))
                .toArray(StackTraceElement[]::new));
        return trace;
    }

    /**
     * A detector that knows of no connection yet.
     *
     * @param after how long a connection may be out; null to look at none
     * @param report gets a line, and where the connection was borrowed
     */
    LeakDetector(@Nullable Duration after, BiConsumer<String, Throwable> report) {
        this.after = after == null ? 0 : Durations.nanos(after);
        this.report = report;
    }

    boolean isOn() {
        return after > 0;
    }

    /** A connection goes out to the calling thread; null when this looks at none. */
    @Nullable
    Loan lent(long now) {
        if (!isOn()) {
            return null;
        }
        Loan loan = new Loan(now);
        loans.add(loan);
        return loan;
    }

    /** Reports what is out for too long. */
    void look(long now) {
        loans.forEach(loan -> loan.look(now));
    }

    /** How many that were reported are still out. */
    int overdue() {
        return overdue.get();
    }
}
