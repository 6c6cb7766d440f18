package dev.penstock.migrate;

import dev.penstock.migrate.FlowKey.Unit;
import dev.penstock.migrate.StageReader.OldSetting;
import dev.penstock.migrate.StageValue.FlowLine;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds lines that the old file leaves out: defaults of the product that differ from those of a flow, and what a valid flow
 * file needs.
 */
final class StageDefaults {
    private static final long DEFAULT_DEADLINE = 30_000;
    private static final String DEFAULT = " is not given; the default of ";

    private StageDefaults() {}

    /** Adds the lines that a valid flow needs, and fits those that depend on each other. */
    static void complete(
            StageProduct product, Set<String> sections, Map<String, OldSetting> effective, List<FlowLine> lines) {
        switch (product) {
            case RESILIENCE4J -> resilience(sections, lines);
            case HYSTRIX -> hystrix(effective, lines);
            case TOMCAT -> {}
        }
        backoff(effective, lines);
        FlowLine deadline = find(FlowKey.DEADLINE, lines);
        long limit = deadline == null ? DEFAULT_DEADLINE : deadline.number();
        if (limit > 0) {
            atMost(FlowKey.QUEUE_TIME, limit, lines);
            atMost(FlowKey.COLLAPSE_BUDGET, limit - 1, lines);
        }
        if (find(FlowKey.COLLAPSE_MAX, lines) != null
                || find(FlowKey.COLLAPSE_BUDGET, lines) != null
                || find(FlowKey.COLLAPSE_SAME, lines) != null) {
            lines.add(new FlowLine(
                    FlowKey.COLLAPSE_URL,
                    "\"https://target.example/batch\"",
                    "not in the old file: where batches are sent, in place of the batch command"));
        }
        FlowLine head = find(FlowKey.HEADER_TIME, lines);
        if (product == StageProduct.TOMCAT && head != null && find(FlowKey.IDLE_TIME, lines) == null) {
            lines.add(new FlowLine(
                    FlowKey.IDLE_TIME,
                    head.yaml(),
                    head.comment().replaceFirst(";.*", "") + ", because keepAliveTimeout is not given"));
        }
        if (product == StageProduct.TOMCAT && find(FlowKey.HOST, lines) == null) {
            lines.add(new FlowLine(FlowKey.HOST, "0.0.0.0", "address is not given: all addresses of the machine"));
        }
    }

    /** Without these lines a flow would repeat nothing, and have 30 s for a call. */
    private static void resilience(Set<String> sections, List<FlowLine> lines) {
        if (sections.contains("retry")) {
            ifAbsent(new FlowLine(FlowKey.ATTEMPTS, "3", "maxAttempts" + DEFAULT + "resilience4j", 3), lines);
            FlowLine max = find(FlowKey.BACKOFF_MAX, lines);
            long millis = max == null || max.number() < 0 ? 500 : Math.min(500, max.number());
            String backoff = StageValue.write(Unit.TIME, millis);
            ifAbsent(new FlowLine(FlowKey.BACKOFF, backoff, "waitDuration" + DEFAULT + "resilience4j", millis), lines);
        }
        if (sections.contains("timelimiter")) {
            ifAbsent(new FlowLine(FlowKey.DEADLINE, "1s", "timeoutDuration" + DEFAULT + "resilience4j", 1_000), lines);
        }
    }

    private static void hystrix(Map<String, OldSetting> effective, List<FlowLine> lines) {
        OldSetting timeout = effective.get("command.execution.timeout.enabled");
        boolean isOff = timeout != null && timeout.line().filled().equalsIgnoreCase("false");
        boolean isCommand = effective.keySet().stream().anyMatch(name -> name.startsWith("command."))
                || lines.stream().anyMatch(line -> line.key() == FlowKey.BREAKER);
        if (isCommand && !isOff) {
            ifAbsent(new FlowLine(FlowKey.DEADLINE, "1s", "timeoutInMilliseconds" + DEFAULT + "Hystrix", 1_000), lines);
        }
    }

    private static void ifAbsent(FlowLine line, List<FlowLine> lines) {
        if (find(line.key(), lines) == null) {
            lines.add(line);
        }
    }

    private static void backoff(Map<String, OldSetting> effective, List<FlowLine> lines) {
        FlowLine backoff = find(FlowKey.BACKOFF, lines);
        FlowLine max = find(FlowKey.BACKOFF_MAX, lines);
        OldSetting doubled = effective.get("retry.enableExponentialBackoff");
        boolean doubles = doubled != null && doubled.line().filled().equalsIgnoreCase("true");
        if (max == null && backoff != null) {
            lines.add(
                    doubled != null && doubles
                            ? new FlowLine(
                                    FlowKey.BACKOFF_MAX,
                                    "1m",
                                    doubled.line().shown() + "; no limit there, the maximum here is 1m")
                            : new FlowLine(FlowKey.BACKOFF_MAX, backoff.yaml(), "the same for later attempts"));
        } else if (max != null && backoff != null && max.number() >= 0 && max.number() < backoff.number()) {
            lines.remove(max);
            lines.add(new FlowLine(
                    FlowKey.BACKOFF_MAX, backoff.yaml(), max.comment() + "; here not less than retry.backoff"));
        }
    }

    private static void atMost(FlowKey key, long limit, List<FlowLine> lines) {
        FlowLine line = find(key, lines);
        if (line != null && line.number() > limit) {
            lines.remove(line);
            lines.add(new FlowLine(
                    key, StageValue.write(Unit.TIME, limit), line.comment() + "; here less than the deadline", limit));
        }
    }

    static @Nullable FlowLine find(FlowKey key, List<FlowLine> lines) {
        return lines.stream().filter(line -> line.key() == key).findFirst().orElse(null);
    }
}
