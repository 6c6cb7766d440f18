package dev.penstock.meter;

import dev.penstock.Answered;
import dev.penstock.BatchEndings;
import dev.penstock.Busy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts the answers of a target by status, and notices when errors (4xx, 5xx) become more frequent. Answers without a status
 * are not counted.
 *
 * <p>Thread-safe.
 */
public final class AnswerStatuses {
    private static final int END = 600;
    private static final long CHECK_INTERVAL_NANOS = 100_000_000;

    private final AtomicReferenceArray<@Nullable LongAdder> counts = new AtomicReferenceArray<>(END);
    private final LongAdder all = new LongAdder();
    private final List<ErrorClass> classes;
    private final AtomicLong nextCheck;

    AnswerStatuses(long now) {
        classes = List.of(new ErrorClass(4, now), new ErrorClass(5, now));
        nextCheck = new AtomicLong(now + CHECK_INTERVAL_NANOS);
    }

    /** The answers of one class of error. */
    private final class ErrorClass {
        private final int digit;
        private final RisingShare rising;
        private long seen;
        private long seenOfAll;
        private volatile int latest;
        private volatile @Nullable String sentence;

        ErrorClass(int digit, long now) {
            this.digit = digit;
            this.rising = new RisingShare(now);
        }

        private long count() {
            long sum = 0;
            for (int status = 100 * digit; status < 100 * (digit + 1); status++) {
                sum += AnswerStatuses.this.count(status);
            }
            return sum;
        }

        /** Returns the line to log; null for none. */
        synchronized @Nullable String check(long now) {
            long nowOfAll = all.sum();
            long nowCount = count();
            boolean changed = rising.add(nowCount - seen, nowOfAll - seenOfAll, now);
            seen = nowCount;
            seenOfAll = nowOfAll;
            if (rising.isRisen()) {
                String usually = rising.usual() < 0 ? "" : ", usually " + percent(rising.usual());
                sentence = "the target answered %s of recent calls with %dxx%s; the last one was %d"
                        .formatted(percent(rising.share()), digit, usually, latest);
                return changed ? sentence : null;
            }
            sentence = null;
            return changed
                    ? "the target answered %s of recent calls with %dxx, which is usual again"
                            .formatted(percent(rising.share()), digit)
                    : null;
        }
    }

    /**
     * Counts an answer, or each answer of a batch.
     *
     * @return lines to log now
     */
    List<String> count(@Nullable Object answer, long now) {
        if (answer instanceof BatchEndings<?> batch) {
            for (int index = 0; index < batch.size(); index++) {
                if (batch.get(index) instanceof Answered<?> one) {
                    countOne(Busy.statusOf(one.answer()));
                }
            }
        } else {
            countOne(Busy.statusOf(answer));
        }
        return now - nextCheck.get() < 0 ? List.of() : check(now);
    }

    private void countOne(int status) {
        if (status < 100 || status >= END) {
            return;
        }
        LongAdder counter = counts.get(status);
        if (counter == null) {
            counts.compareAndSet(status, null, new LongAdder());
            counter = counts.get(status);
        }
        if (counter != null) {
            counter.increment();
        }
        all.increment();
        for (ErrorClass errors : classes) {
            if (status / 100 == errors.digit) {
                errors.latest = status;
            }
        }
    }

    /** Looks for changes now, on one thread at a time; returns lines to log. */
    List<String> check(long now) {
        long due = nextCheck.get();
        if (all.sum() == 0 || !nextCheck.compareAndSet(due, now + CHECK_INTERVAL_NANOS)) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        for (ErrorClass errors : classes) {
            String line = errors.check(now);
            if (line != null) {
                lines.add(line);
            }
        }
        return lines;
    }

    private long count(int status) {
        LongAdder counter = counts.get(status);
        return counter == null ? 0 : counter.sum();
    }

    /** The number of answers by status; only those that occurred. */
    Map<Integer, Long> counts() {
        Map<Integer, Long> all = new TreeMap<>();
        for (int status = 100; status < END; status++) {
            if (counts.get(status) != null) {
                all.put(status, count(status));
            }
        }
        return all;
    }

    /** A sentence for each class of errors that is more frequent than usual, such as {@code 5xx}; empty when none is. */
    Map<String, String> errors() {
        Map<String, String> risen = new TreeMap<>();
        for (ErrorClass errors : classes) {
            String sentence = errors.sentence;
            if (sentence != null) {
                risen.put(errors.digit + "xx", sentence);
            }
        }
        return risen;
    }

    private static String percent(double share) {
        double hundred = 100 * share;
        return hundred >= 0.05 && hundred < 1 ? "%.1f %%".formatted(hundred) : "%.0f %%".formatted(hundred);
    }
}
