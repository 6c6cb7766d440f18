package dev.penstock.gateway.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One flow of a file. Immutable.
 *
 * @param name the name in reports and metrics
 * @param from the source
 * @param to the target
 * @param status where outcomes of transactions that pass a queue are stored; null for the default
 * @param deadline the time limit of a whole transaction; default 30 s
 * @param dedupe deduplication by idempotency key; null (default) for none
 * @param retry when to retry; null (default) for never
 * @param idempotent whether every request may be sent twice with the effect of once; default false
 * @param settle how to query the status of an unknown transaction; null (default) for no query
 * @param collapse batching of requests into one call; null (default) for none
 * @param limit the maximum number of concurrent calls to the target
 * @param queue how transactions wait for a permit
 * @param breaker when calls to a failing target are stopped
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
    /** The default time limit of a whole transaction: {@value}. */
    static final String DEFAULT_DEADLINE = "30s";

    /** The path of the status page of transactions: {@value}. */
    public static final String STATUS_PATH = "/transactions";

    /**
     * The HTTP target.
     *
     * @throws IllegalStateException the target is not HTTP
     */
    public HttpTo http() {
        if (to instanceof HttpTo http) {
            return http;
        }
        throw new IllegalStateException("flow '" + name + "' goes to " + to.kind() + ", not to http");
    }

    /**
     * The HTTP source.
     *
     * @throws IllegalStateException the source is not HTTP
     */
    public HttpFrom overHttp() {
        if (from instanceof HttpFrom http) {
            return http;
        }
        throw new IllegalStateException("flow '" + name + "' comes from " + from.kind() + ", not from http");
    }

    /** Whether it answers 202 before the transaction is processed and serves the outcome later. */
    public boolean hasStatusPage() {
        return from instanceof HttpFrom && to instanceof JmsTo && !(status instanceof StatusConfig.Off);
    }

    /**
     * Whether a message may be sent twice within a transaction, because its broker drops the second by the transaction
     * id. Not with dedupe: a later repeat of the same key is another transaction with another id.
     */
    public boolean isRepeatableById() {
        return dedupe == null && to instanceof JmsTo jms && jms.queue().dropsDuplicateIds();
    }
}
