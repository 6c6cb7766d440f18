package dev.penstock.migrate;

import dev.penstock.migrate.StageReader.OldSetting;
import dev.penstock.migrate.StageValue.FlowLine;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Which settings of a product make others ineffective. */
final class StageRules {
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
            case RESILIENCE4J -> {
                if (!value("bulkhead.maxConcurrentCalls").isEmpty()
                        || !value("bulkhead.maxConcurrentCall").isEmpty()) {
                    remove("threadpoolbulkhead.", "the bulkhead of the same name takes precedence");
                }
            }
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
        if (value("command.circuitBreaker.forceOpen").equalsIgnoreCase("false")) {
            remove("command.circuitBreaker.forceOpen", "false: the breaker decides");
        }
        OldSetting off = effective.get("command.circuitBreaker.enabled");
        boolean isOff = off != null && off.line().filled().equalsIgnoreCase("false");
        if (!isOff) {
            off = effective.get("command.circuitBreaker.forceClosed");
            isOff = off != null && off.line().filled().equalsIgnoreCase("true");
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
        return setting == null ? "" : setting.line().filled();
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
}
