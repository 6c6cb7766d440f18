package dev.penstock.gateway.config;

import dev.penstock.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Warns about pool times that make each other ineffective. */
final class PoolWarnings {
    private PoolWarnings() {}

    static void check(FlowConfig flow, ConfigProblems warnings) {
        PoolConfig pool = flow.to().pool();
        Configured<Duration> waiting = pool.waiting();
        if (waiting != null && waiting.value().compareTo(flow.deadline().value()) > 0) {
            warnings.add(
                    waiting.location(),
                    "flow '%s' waits up to %s for a connection, longer than its deadline of %s, which ends the wait; lower pool.wait"
                            .formatted(flow.name(), format(waiting), format(flow.deadline())));
        }
        beyondIdle(
                pool.sweep(),
                pool.idle(),
                "idle connections of flow '%s' are only checked every %s, so a connection may stay idle that much longer than pool.idle (%s); lower pool.sweep, or remove it",
                flow,
                warnings);
        beyondIdle(
                pool.validateAfter(),
                pool.idle(),
                "connections of flow '%s' are validated after %s idle but closed after %s idle, so never validated; lower pool.validate_after, or remove it",
                flow,
                warnings);
    }

    private static void beyondIdle(
            @Nullable Configured<Duration> time,
            @Nullable Configured<Duration> idle,
            String text,
            FlowConfig flow,
            ConfigProblems warnings) {
        if (time != null && idle != null && time.value().compareTo(idle.value()) > 0) {
            warnings.add(time.location(), text.formatted(flow.name(), format(time), format(idle)));
        }
    }

    private static String format(Configured<Duration> time) {
        return Durations.words(time.value());
    }
}
