package dev.penstock.gateway.config;

import dev.penstock.BreakerSettings;
import dev.penstock.flow.TargetLimit;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One flow of a file. Immutable.
 *
 * @param name the name in reports and metrics
 * @param from the source
 * @param to the target
 * @param status how long outcomes of transactions that pass a queue are stored, or {@link StatusConfig#OFF}; null for the default
 * @param deadline the time limit of a whole transaction; default 30 s
 * @param dedupe deduplication by idempotency key; null (default) for none
 * @param retry when to retry; null (default) for never
 * @param idempotent whether every request may be sent twice with the effect of once; default false
 * @param settle how to query the status of an unknown transaction; null (default) for no query
 * @param collapse batching of requests into one call; null (default) for none
 * @param limit the maximum number of concurrent calls to the target
 * @param rate how many calls to the target may begin a second; null for adaptive
 * @param queue how transactions wait for a permit
 * @param breaker when calls to a failing target are stopped; empty for never
 * @param callers the share of each caller; null (default) for no limits
 */
public record FlowConfig(
        String name,
        From from,
        To to,
        @Nullable Configured<Duration> status,
        Configured<Duration> deadline,
        @Nullable DedupeConfig dedupe,
        @Nullable RetryConfig retry,
        Configured<Boolean> idempotent,
        @Nullable SettleConfig settle,
        @Nullable CollapseKind collapse,
        LimitConfig limit,
        @Nullable RateConfig rate,
        QueueConfig queue,
        Optional<BreakerSettings> breaker,
        @Nullable CallersConfig callers) {
    /** The default time limit of a whole transaction: 30 s. */
    public static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(30);

    /** The header of RFC 9218. */
    private static final String PRIORITY = "Priority";

    /** The path of the status page of transactions: {@value}. */
    public static final String STATUS_PATH = "/transactions";

    /**
     * Whether a message may be sent twice within a transaction, because its broker drops the second by the transaction
     * id. Not with dedupe: a later repeat of the same key is another transaction with another id.
     */
    public boolean isRepeatableById() {
        return dedupe == null && to.dropsDuplicateIds();
    }

    /** Whether outcomes of its transactions are not stored. */
    public boolean hasStatusOff() {
        return status != null && status.value().equals(StatusConfig.OFF);
    }

    /** The upper bound of an adaptive limit, where the file gives none. */
    public int mostAtOnce() {
        return collapse == null ? TargetLimit.MOST : collapse.atOnce();
    }

    /** The name of the idempotency key, of dedupe or else of retry; null for none. */
    public @Nullable String keyName() {
        Configured<String> key = dedupe != null ? dedupe.key() : retry == null ? null : retry.key();
        return key == null ? null : key.value();
    }

    /** Whether it shares its limit or rate with other gateways. */
    public boolean isOfFleet() {
        return limit instanceof LimitConfig.Fleet || (rate != null && rate.fleet());
    }

    /** The header with the urgency of a request: with shares of callers the standard one unless given; null for none. */
    public @Nullable String priorityHeader() {
        Configured<String> given = queue.priority();
        return given != null ? given.value() : callers == null ? null : PRIORITY;
    }

    /**
     * When to retry.
     *
     * @param location where it is in the file
     * @param attempts the total number of attempts; 1 to 10, default 3
     * @param key the header with the idempotency key, which makes every request safe to retry; null only retries requests
     *     that were not sent
     * @param answers the statuses of answers that are repeated; 400 to 599, default none
     */
    public record RetryConfig(
            FileLocation location,
            Configured<Integer> attempts,
            @Nullable Configured<String> key,
            Set<Integer> answers) {}

    /**
     * How many calls to the target may begin a second.
     *
     * @param perSecond 0.1 to 1,000,000
     * @param fleet whether it is of the flows of this name of all gateways together
     */
    public record RateConfig(Configured<Double> perSecond, boolean fleet) {}

    /** The maximum number of concurrent calls of a flow to its target. */
    public sealed interface LimitConfig {
        /** Adaptive. */
        record Automatic() implements LimitConfig {}

        /**
         * A fixed limit.
         *
         * @param permits 1 to 1,000,000
         */
        record Fixed(Configured<Integer> permits) implements LimitConfig {}

        /**
         * Adaptive within bounds.
         *
         * @param min 1 to {@code max}
         * @param max {@code min} to 1,000,000
         */
        record Bounds(Configured<Integer> min, Configured<Integer> max) implements LimitConfig {}

        /**
         * Shared by the flows of this name of all gateways.
         *
         * @param total 1 to 1,000,000
         * @param safe what each gateway uses when it cannot reach the store; null for an even share
         */
        record Fleet(Configured<Integer> total, @Nullable Configured<Integer> safe) implements LimitConfig {}
    }

    /**
     * How transactions wait for a permit. A null time or length is automatic.
     *
     * @param time the longest wait; 0 to 1 h
     * @param length the maximum number of waiting transactions; 0 to 1,000,000
     * @param priority the request header with the urgency of a request; null for none
     */
    public record QueueConfig(
            @Nullable Configured<Duration> time,
            @Nullable Configured<Integer> length,
            @Nullable Configured<String> priority) {
        /** All values automatic. */
        public static final QueueConfig AUTOMATIC = new QueueConfig(null, null, null);
    }

    /** The source of a flow, as read from the file. Each kind of transport has its own record. */
    public interface From {
        /** Its key in the file, for instance {@code http}. */
        String kind();

        /** The base path of its requests, which the target replaces with its own. */
        default String base() {
            return "/";
        }

        /** The TCP address it listens on; null if it opens no TCP port. */
        default @Nullable Listener listener() {
            return null;
        }

        /** Whether it takes requests from a queue, so that their outcomes have a status. */
        default boolean isQueue() {
            return false;
        }

        /** Whether its requests may have a transaction id already, which they keep. */
        default boolean hasIds() {
            return false;
        }

        /** Whether it receives what another flow sends to {@code target}. */
        default boolean consumes(To target) {
            return false;
        }

        /** The header in which its requests have the name of their caller; null if its callers have no names. */
        default @Nullable String callerHeader() {
            return null;
        }

        /** Whether its clients can read the status of a transaction at {@link #STATUS_PATH}. */
        default boolean canServeStatus() {
            return false;
        }

        /**
         * Decides what depends on the rest of the flow.
         *
         * @param to the target
         * @param stage the first key of the file that adds a stage; null for none
         */
        default From completed(To to, @Nullable ConfigValue stage, ConfigProblems problems) {
            return this;
        }
    }

    /** The source of a flow without {@code from}: other flows, whose target it is. */
    public record ByFlows() implements From {
        @Override
        public String kind() {
            return "flow";
        }

        @Override
        public boolean hasIds() {
            return true;
        }
    }

    /**
     * A host and a port to listen on.
     *
     * @param tls the certificates; null for cleartext
     * @param insecure whether other machines may connect nevertheless
     */
    public record Listener(
            Configured<String> host,
            Configured<Integer> port,
            @Nullable ListenerTls tls,
            boolean insecure) {
        /** A listener without TLS, which other machines may use. */
        public static Listener open(Configured<String> host, Configured<Integer> port) {
            return new Listener(host, port, null, true);
        }

        /** Whether other machines can connect without TLS. */
        public boolean isExposed() {
            return tls == null && !Addresses.isLoopback(host.value());
        }

        /** Whether both cannot be bound at once. */
        public boolean clashes(@Nullable Listener other) {
            return other != null
                    && Addresses.samePort(port, other.port)
                    && Addresses.overlap(host.value(), other.host.value());
        }
    }

    /**
     * The target of a flow, as read from the file. Each kind of transport has its own record. Its {@code toString} is the
     * address without secrets: flows with equal addresses share what is learned about the target.
     */
    public interface To {
        /** Its key in the file, for instance {@code http}. */
        String kind();

        /** The connection pool; all automatic for a target without {@code pool}. */
        default PoolConfig pool() {
            return PoolConfig.AUTOMATIC;
        }

        /** The same target with another connection pool. */
        default To pooled(PoolConfig pool) {
            return this;
        }

        /** Whether it can be asked over HTTP what became of a transaction. */
        default boolean canBeQueried() {
            return false;
        }

        /** Whether it answers before the request is processed, as a queue does. */
        default boolean isQueue() {
            return false;
        }

        /** Whether the outcomes of its transactions are stored even if the file does not say how long. */
        default boolean storesStatus() {
            return isQueue();
        }

        /** Whether each transaction is sent with its id, by which a second message is recognised. */
        default boolean hasIds() {
            return false;
        }

        /** Whether it drops a second message with the same transaction id. */
        default boolean dropsDuplicateIds() {
            return false;
        }

        /** The flow of this gateway that it calls; null for none. */
        default @Nullable String flow() {
            return null;
        }

        /** The number of servers. Several have stages of their own, which the transport adds to each. */
        default int endpoints() {
            return 1;
        }

        /** Whether it answers in this process, so that flows to it have no common bottleneck. */
        default boolean isInProcess() {
            return false;
        }
    }
}
