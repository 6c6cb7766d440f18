package dev.penstock;

import dev.penstock.Setting.Origin;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * When a breaker opens and closes. Failures open it only when they last for a second and hardly any call is answered; a lack of
 * answers to many calls in flight opens it too.
 *
 * @param connectFailures the number of consecutive connect failures, without an answer, that opens it; 1 to 10,000, default 10
 * @param failureShare the share of calls that must fail, in the last 10 s and in the last second, to open it; above 0, up to
 *     1, default 0.9. The same share of failed trial calls opens it again
 * @param fewestCalls the minimum number of calls in those 10 s for the failure share, the number of consecutive failures that
 *     opens it, and the minimum number of calls in flight for a lack of answers; 1 to 1,000,000, default 20
 * @param openFor how long it stays open at first; 1 ms to 1 h, default 1 s. Doubles each time its trial calls fail, up to 60 s
 * @param trials the number of trial calls that decide whether a half-open breaker closes; 1 to 1,000, default 3
 */
public record BreakerSettings(int connectFailures, double failureShare, int fewestCalls, Duration openFor, int trials) {
    /** The default of the failure share, in percent: {@value}. */
    public static final int DEFAULT_FAILURE_PERCENT = 90;

    /** The defaults. */
    public static final BreakerSettings DEFAULTS =
            new BreakerSettings(10, DEFAULT_FAILURE_PERCENT / 100.0, 20, Duration.ofSeconds(1), 3);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException when a value is out of its range
     */
    public BreakerSettings {
        connectFailures = Ranges.within("connect failures", connectFailures, 1, 10_000);
        if (!(failureShare > 0 && failureShare <= 1)) {
            throw new IllegalArgumentException("a failure share is above 0 and up to 1, not " + failureShare);
        }
        fewestCalls = Ranges.within("the fewest calls", fewestCalls, 1, 1_000_000);
        openFor = Ranges.within("the time open", openFor, Duration.ofMillis(1), Duration.ofHours(1));
        trials = Ranges.within("trial calls", trials, 1, 1_000);
    }

    /**
     * {@return these settings for display}
     *
     * @param since when the settings took their values
     */
    public List<Setting> settings(Instant since) {
        String reason = "opens for " + Durations.format(openFor) + " when this share of at least " + fewestCalls
                + " calls in 10 s fails, or " + fewestCalls + " in a row fail or " + connectFailures
                + " cannot connect, each for 1 s, or when " + fewestCalls + " are in flight and none is answered";
        return List.of(new Setting(
                "breaker.failures",
                Math.round(100 * failureShare) + " %",
                "1..100 %",
                reason,
                since,
                equals(DEFAULTS) ? Origin.DEFAULT : Origin.GIVEN));
    }
}
