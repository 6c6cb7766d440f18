package dev.penstock.gateway.config;

import dev.penstock.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Finds times of a pool that make one another useless. */
final class PoolWarnings {
    private PoolWarnings() {}

    static void check(FlowConfig flow, ConfigProblems doubts) {
        PoolConfig pool = flow.to().pool();
        Configured<Duration> waiting = pool.waiting();
        if (waiting != null && waiting.value().compareTo(flow.deadline().value()) > 0) {
            doubts.add(
                    waiting.place(),
                    "flow '%s' waits up to %s for a connection, beyond its deadline of %s, which ends the wait; lower pool.wait"
                            .formatted(flow.name(), words(waiting), words(flow.deadline())));
        }
        beyondIdle(
                pool.sweep(),
                pool.idle(),
                "idle connections of flow '%s' are looked over every %s, so one may lie idle that much longer than %s; lower pool.sweep, or leave it out",
                flow,
                doubts);
        beyondIdle(
                pool.validateAfter(),
                pool.idle(),
                "connections of flow '%s' are looked at when idle for %s, and closed after %s, so never looked at; lower pool.validate_after, or leave it out",
                flow,
                doubts);
    }

    private static void beyondIdle(
            @Nullable Configured<Duration> time,
            @Nullable Configured<Duration> idle,
            String text,
            FlowConfig flow,
            ConfigProblems doubts) {
        if (time != null && idle != null && time.value().compareTo(idle.value()) > 0) {
            doubts.add(time.place(), text.formatted(flow.name(), words(time), words(idle)));
        }
    }

    private static String words(Configured<Duration> time) {
        return Durations.words(time.value());
    }
}
