package dev.penstock.breaker;

import dev.penstock.breaker.BreakerController.Share;
import dev.penstock.breaker.BreakerController.Tally;
import dev.penstock.meter.AttemptMeter;
import dev.penstock.meter.RecentWindow;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * What calls came to lately, in the last 10 s and in the last second, and how long answers took.
 *
 * <p>Answers are counted by the attempt meter already, so that they cost nothing here; what is counted here is rarer. Safe
 * for many threads.
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

    /** To be called now and then while calls come, so that windows move on. */
    void look(long now) {
        windows.forEach(window -> window.look(now));
    }

    /** Counts a refusal for good: it shows that the target is alive, as an answer does. */
    void refused(long now) {
        look(now);
        refusals.increment();
    }

    /** Counts a failure. */
    void failed(long now) {
        look(now);
        failures.increment();
    }

    /** How many signs of life the target has given ever: answers, and refusals for good. */
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

    /** How long answers of the last 10 s took in the mean, in nanoseconds; 0 when there were fewer than some. */
    long meanAnswerNanos(long some, long now) {
        long answers = recentAnswers.recent(now);
        return answers < some ? 0 : Math.max(1, recentNanos.recent(now) / answers);
    }

    /** What was counted so far is no longer recent. */
    void forget(long now) {
        windows.forEach(window -> window.forget(now));
    }
}
