package dev.penstock.races.overload;

import dev.penstock.lab.load.EndListener;
import dev.penstock.lab.measure.Adaptation;
import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.measure.Outcome;
import dev.penstock.races.LoadTimes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Counts the goodput of a load: correct answers soon enough after their intended start. Times of answers and rejections
 * are kept separately, because a mixture would describe neither. Pure: times are arguments.
 *
 * <p>Thread-safe.
 */
final class GoodputCounter implements EndListener {
    private static final long MIN_NANOS = 1;
    private static final long MAX_NANOS = Duration.ofHours(1).toNanos();
    private static final int DIGITS = 3;
    private static final long SECOND_NANOS = 1_000_000_000;

    private final long usefulNanos;
    private final long warmUpNanos;
    private final long windowNanos;
    private final LongAdder useful = new LongAdder();
    private final AtomicLongArray usefulBySecond;
    private final LongAdder late = new LongAdder();
    private final Histogram answers = new ConcurrentHistogram(MIN_NANOS, MAX_NANOS, DIGITS);
    private final Histogram rejections = new ConcurrentHistogram(MIN_NANOS, MAX_NANOS, DIGITS);
    private volatile long windowStart;

    /**
     * Nothing counted yet.
     *
     * @param usefulWithin the maximum time from the intended start to a useful answer
     * @param times the duration of the load
     */
    GoodputCounter(Duration usefulWithin, LoadTimes times) {
        this.usefulNanos = usefulWithin.toNanos();
        this.warmUpNanos = times.warmUp().toNanos();
        this.windowNanos = times.measured().toNanos();
        this.usefulBySecond = new AtomicLongArray((int) times.lasting().toSeconds());
    }

    @Override
    public void begins(long start) {
        windowStart = start;
    }

    /** Useful answers count by their time of arrival, as TPS does; everything else by the intended start. */
    @Override
    public void ended(Outcome outcome, long intended, long start, long end) {
        boolean due = intended - windowStart >= 0;
        if (outcome == Outcome.RIGHT) {
            boolean inTime = end - intended <= usefulNanos;
            if (inTime) {
                countUseful(end);
            }
            if (due) {
                answers.recordValue(Math.clamp(end - intended, 0, MAX_NANOS));
                late.add(inTime ? 0 : 1);
            }
        } else if (due && outcome.isRejected()) {
            rejections.recordValue(Math.clamp(end - start, 0, MAX_NANOS));
        }
    }

    private void countUseful(long at) {
        long into = at - windowStart;
        if (into >= 0 && into < windowNanos) {
            useful.increment();
        }
        long second = Math.floorDiv(into + warmUpNanos, SECOND_NANOS);
        if (second >= 0 && second < usefulBySecond.length()) {
            usefulBySecond.incrementAndGet((int) second);
        }
    }

    /**
     * {@code goodput}: useful answers per second; {@code first_10s} and {@code adapt_s}: see {@link Adaptation};
     * {@code late}: correct answers that were too late to be useful; {@code p50_ms}, {@code p99_ms}, {@code max_ms} of
     * correct answers, from the intended start; {@code reject_p50_us} and {@code reject_p99_us}, from the offer of a
     * request to its rejection. Percentiles with too few samples are absent.
     */
    Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        double goodput = useful.sum() * 1e9 / windowNanos;
        metrics.put("goodput", goodput);
        metrics.putAll(Adaptation.of(
                IntStream.range(0, usefulBySecond.length())
                        .mapToObj(second -> (double) usefulBySecond.get(second))
                        .toList(),
                goodput));
        metrics.put("late", (double) late.sum());
        Latency answered = Latency.of(answers);
        answered.percentile(50).ifPresent(nanos -> metrics.put("p50_ms", nanos / 1e6));
        answered.percentile(99).ifPresent(nanos -> metrics.put("p99_ms", nanos / 1e6));
        answered.max().ifPresent(nanos -> metrics.put("max_ms", nanos / 1e6));
        Latency rejected = Latency.of(rejections);
        rejected.percentile(50).ifPresent(nanos -> metrics.put("reject_p50_us", nanos / 1e3));
        rejected.percentile(99).ifPresent(nanos -> metrics.put("reject_p99_us", nanos / 1e3));
        return metrics;
    }

    /** The response times of correct answers for a plot: percent to milliseconds. */
    Map<String, Double> curve() {
        return Latency.of(answers).curve();
    }
}
