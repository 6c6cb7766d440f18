package dev.penstock.breaker;

import dev.penstock.breaker.BreakerController.Share;
import dev.penstock.breaker.BreakerController.Tally;
import dev.penstock.meter.AttemptMeter;
import dev.penstock.meter.RecentWindow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts failed and answered calls in the last 10 s and in the last second, and the mean answer time.
 *
 * <p>Answers are already counted by the attempt meter, so they cost nothing here; only rarer events are counted here.
 * Thread-safe.
 */
final class CallCounts {
    private static final Duration RECENT = Duration.ofSeconds(10);
    private static final Duration LATEST = Duration.ofSeconds(1);

    private final AttemptMeter attempts;
    private final LongAdder refusals = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final RecentWindow recentAlive;
    private final RecentWindow latestAlive;
    private final RecentWindow recentFailures;
    private final RecentWindow latestFailures;
    private final RecentWindow recentAnswers;
    private final RecentWindow recentNanos;
    private final List<RecentWindow> windows;

    CallCounts(AttemptMeter attempts, long now) {
        this.attempts = attempts;
        recentAlive = new RecentWindow(RECENT, now, this::alive);
        latestAlive = new RecentWindow(LATEST, now, this::alive);
        recentFailures = new RecentWindow(RECENT, now, failures::sum);
        latestFailures = new RecentWindow(LATEST, now, failures::sum);
        recentAnswers = new RecentWindow(RECENT, now, attempts::answered);
        recentNanos = new RecentWindow(RECENT, now, attempts::answeredNanos);
        windows = List.of(recentAlive, latestAlive, recentFailures, latestFailures, recentAnswers, recentNanos);
    }

    /** Advances the windows. Call it regularly while there are calls. */
    void advance(long now) {
        windows.forEach(window -> window.advance(now));
    }

    /** Counts a permanent refusal: like an answer, it shows that the target is alive. */
    void refused(long now) {
        advance(now);
        refusals.increment();
    }

    /** Counts a failure. */
    void failed(long now) {
        advance(now);
        failures.increment();
    }

    /** The total number of answers and permanent refusals, which show that the target is alive. */
    long alive() {
        return attempts.answered() + refusals.sum();
    }

    Tally tally(long now) {
        return new Tally(recent(now), share(latestFailures, latestAlive, now), alive());
    }

    Share recent(long now) {
        return share(recentFailures, recentAlive, now);
    }

    private static Share share(RecentWindow failures, RecentWindow alive, long now) {
        long failed = failures.recent(now);
        return new Share(failed, failed + alive.recent(now));
    }

    /** The mean time of the answers of the last 10 s, in nanoseconds; 0 when there were fewer than {@code minimum}. */
    long meanAnswerNanos(long minimum, long now) {
        long answers = recentAnswers.recent(now);
        return answers < minimum ? 0 : Math.max(1, recentNanos.recent(now) / answers);
    }

    /** Clears the windows. */
    void clear(long now) {
        windows.forEach(window -> window.clear(now));
    }
}
