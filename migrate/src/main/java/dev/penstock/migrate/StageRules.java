package dev.penstock.migrate;

import dev.penstock.migrate.FlowKey.Unit;
import dev.penstock.migrate.StageReader.OldSetting;
import dev.penstock.migrate.StageValue.FlowLine;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which settings of a product make others ineffective, and which lines a valid flow needs besides. */
final class StageRules {
    private static final long DEFAULT_DEADLINE = 30_000;
    private static final String ISOLATION = "command.execution.isolation.strategy";
    private static final String MAX_QUEUE = "threadpool.maxQueueSize";
    private static final String THRESHOLD = "threadpool.queueSizeRejectionThreshold";

    private final StageProduct product;
    private final Map<String, OldSetting> effective;
    private final Leftovers leftovers;
    private final List<FlowLine> written;

    StageRules(StageProduct product, Map<String, OldSetting> effective, Leftovers leftovers, List<FlowLine> written) {
        this.product = product;
        this.effective = effective;
        this.leftovers = leftovers;
        this.written = written;
    }

    /** Removes what has no effect; false when there is nothing to import at all. */
    boolean apply() {
        switch (product) {
            case HYSTRIX -> hystrix();
            case TOMCAT -> {
                if (value("Connector.protocol").toUpperCase(Locale.ROOT).contains("AJP")) {
                    remove("Connector.", "not supported: a flow listens for HTTP, not for AJP");
                    return false;
                }
                if (!value("Connector.disableUploadTimeout").equalsIgnoreCase("false")) {
                    remove(
                            "Connector.connectionUploadTimeout",
                            "not effective: disableUploadTimeout is not false; from.http.body_time always applies");
                }
            }
            case RESILIENCE4J -> {}
        }
        return true;
    }

    private void hystrix() {
        if (value("command.execution.timeout.enabled").equalsIgnoreCase("false")) {
            remove(
                    "command.execution.isolation.thread.timeoutInMilliseconds",
                    "not effective: execution.timeout.enabled is false; a flow always has a deadline, 30s by default");
        }
        if (value(ISOLATION).equalsIgnoreCase("SEMAPHORE")) {
            remove("threadpool.", "not effective: execution.isolation.strategy is SEMAPHORE");
        } else {
            remove(
                    "command.execution.isolation.semaphore.",
                    "not effective: execution.isolation.strategy is not SEMAPHORE");
        }
        if (!value("threadpool.allowMaximumSizeToDivergeFromCoreSize").equalsIgnoreCase("true")) {
            remove("threadpool.maximumSize", "not effective: allowMaximumSizeToDivergeFromCoreSize is not true");
        }
        breaker();
        queue();
    }

    private void breaker() {
        OldSetting off = effective.get("command.circuitBreaker.enabled");
        boolean isOff = off != null && off.line().value().strip().equalsIgnoreCase("false");
        if (!isOff) {
            off = effective.get("command.circuitBreaker.forceClosed");
            isOff = off != null && off.line().value().strip().equalsIgnoreCase("true");
        }
        if (off != null && isOff) {
            written.add(new FlowLine(FlowKey.BREAKER, "off", off.line().shown()));
            leftovers.use(off.line());
            effective.remove(off.name().name());
            remove("command.circuitBreaker.", "not effective: the breaker is off");
        }
    }

    /** The smaller of the two bounds of the queue applies; without a queue, none. */
    private void queue() {
        String max = value(MAX_QUEUE);
        String threshold = value(THRESHOLD);
        if (threshold.isEmpty()) {
            return;
        }
        boolean noQueue = max.isEmpty() || max.startsWith("-");
        if (noQueue) {
            remove(THRESHOLD, "not effective: maxQueueSize is not positive, so there is no queue");
        } else if (max.matches("\\d{1,9}")
                && threshold.matches("\\d{1,9}")
                && Integer.parseInt(threshold) > Integer.parseInt(max)) {
            remove(THRESHOLD, "not effective: maxQueueSize is smaller");
        }
    }

    private String value(String name) {
        OldSetting setting = effective.get(name);
        return setting == null ? "" : setting.line().value().strip();
    }

    private void remove(String prefix, String why) {
        effective.values().removeIf(setting -> {
            boolean gone = setting.name().name().startsWith(prefix);
            if (gone) {
                leftovers.drop(setting.line(), why);
            }
            return gone;
        });
    }

    /** Adds the lines that a valid flow needs, and fits those that depend on each other. */
    static void complete(StageProduct product, Map<String, OldSetting> effective, List<FlowLine> lines) {
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

    private static void backoff(Map<String, OldSetting> effective, List<FlowLine> lines) {
        FlowLine backoff = find(FlowKey.BACKOFF, lines);
        FlowLine max = find(FlowKey.BACKOFF_MAX, lines);
        OldSetting doubled = effective.get("retry.enableExponentialBackoff");
        boolean doubles = doubled != null && doubled.line().value().strip().equalsIgnoreCase("true");
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
        } else if (max != null && backoff == null && max.number() >= 0) {
            lines.add(new FlowLine(
                    FlowKey.BACKOFF,
                    StageValue.write(Unit.TIME, Math.min(500, max.number())),
                    "the default of resilience4j"));
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
