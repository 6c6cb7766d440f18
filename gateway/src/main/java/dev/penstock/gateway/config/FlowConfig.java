package dev.penstock.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One flow of a file. Immutable.
 *
 * @param name what it is called in accounts and metrics
 * @param from where its requests come from
 * @param to where they go
 * @param status where it is kept what became of what goes through a queue; null for what is the default
 * @param deadline the time of a whole transaction; 30 s unless given
 * @param dedupe which requests are carried once; null for none, which is the default
 * @param retry when to repeat; null for never, which is the default
 * @param idempotent whether every request of it, taken twice, takes effect once; false unless given
 * @param settle whom to ask about what is in doubt; null for nobody, which is the default
 * @param collapse how many requests become one call; null when each is one, which is the default
 * @param limit how many may be at the target at once
 * @param queue how transactions wait for a permit
 * @param breaker when a target that only fails is cut off
 */
public record FlowConfig(
        String name,
        From from,
        To to,
        @Nullable StatusConfig status,
        Configured<Duration> deadline,
        @Nullable DedupeConfig dedupe,
        @Nullable RetryConfig retry,
        Configured<Boolean> idempotent,
        @Nullable SettleConfig settle,
        @Nullable CollapseKind collapse,
        LimitConfig limit,
        QueueConfig queue,
        BreakerConfig breaker) {
    /** The time of a whole transaction while the file does not say: {@value}. */
    static final String DEFAULT_DEADLINE = "30s";

    /** Under which path it is told what became of transactions: {@value}. */
    public static final String STATUS_PATH = "/transactions";

    /**
     * Its target over HTTP.
     *
     * @throws IllegalStateException it goes to something else
     */
    public HttpTo http() {
        if (to instanceof HttpTo http) {
            return http;
        }
        throw new IllegalStateException("flow '" + name + "' goes to " + to.kind() + ", not to http");
    }

    /**
     * Its source over HTTP.
     *
     * @throws IllegalStateException it comes from something else
     */
    public HttpFrom overHttp() {
        if (from instanceof HttpFrom http) {
            return http;
        }
        throw new IllegalStateException("flow '" + name + "' comes from " + from.kind() + ", not from http");
    }

    /** Whether it answers before its transactions are carried, and tells later what became of them. */
    public boolean tellsStatus() {
        return from instanceof HttpFrom && to instanceof JmsTo && !(status instanceof StatusConfig.Off);
    }

    /**
     * Whether all that it sends may be sent twice within a transaction, as its broker drops the second by the transaction's
     * id. Not where dedupe is: a repeat of the same key that comes later is another transaction, with another id.
     */
    public boolean isRepeatableById() {
        return dedupe == null && to instanceof JmsTo jms && jms.queue().takesIdsOnce();
    }
}
