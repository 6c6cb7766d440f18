package dev.penstock;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows one transaction, or one batch of transactions. Times are readings of the flow's ticker, in nanoseconds.
 *
 * <p>The calls about a transaction come in order, from one thread at a time; {@link #exchanged} may come late, from a call that
 * outlived its transaction.
 */
public interface Observation {
    /** What a transaction waits for inside a flow. */
    enum Wait {
        /** A permit of the limit, or its turn where the rate is bounded. */
        PERMIT,
        /** The pause before a repeated attempt. */
        RETRY,
        /** The store of idempotency keys. */
        STORE,
        /** Another request with the same key. */
        KEY,
        /** The status of an earlier attempt. */
        STATUS
    }

    /**
     * One exchange with a target.
     *
     * @param address the address of the target, as in its settings
     * @param times the time of each part
     * @param sent bytes of the request's body
     * @param received bytes of the answer's body
     */
    record Exchange(String address, Parts times, long sent, long received) {
        /** {@return the time of each part in nanoseconds, in order; made by each call} */
        public Map<String, Long> parts() {
            Map<String, Long> parts = new LinkedHashMap<>();
            times.forEach(parts::put);
            return parts;
        }
    }

    /** The times of an exchange by part. Nothing is made of them until they are read. */
    @FunctionalInterface
    interface Parts {
        /**
         * Passes on each part in order; parts that did not happen are left out.
         *
         * @param to receives the name and the nanoseconds of each part
         */
        void forEach(ObjLongConsumer<String> to);
    }

    /** {@return the id of the trace that it belongs to; null (default) for none} */
    default @Nullable String traceId() {
        return null;
    }

    /**
     * A wait has ended.
     *
     * @param what what it was for
     * @param nanos how long it took
     */
    default void waited(Wait what, long nanos) {}

    /**
     * An attempt begins: the target is called next, on this thread or on another.
     *
     * @param now the reading of the ticker
     */
    default void attempt(long now) {}

    /**
     * The attempt has ended.
     *
     * @param answer the answer; null when there is none
     * @param thrown what the target threw; null when it answered
     * @param now the reading of the ticker
     */
    default void attempted(@Nullable Object answer, @Nullable Throwable thrown, long now) {}

    /**
     * An exchange of the current attempt has ended.
     *
     * @param exchange its address, times and sizes
     */
    default void exchanged(Exchange exchange) {}

    /** {@return whether {@link #attribute} is read (default), so that a description is worth its cost} */
    default boolean readsAttributes() {
        return true;
    }

    /**
     * Describes the current attempt, or the batch.
     *
     * @param name the name of an attribute, from OpenTelemetry's semantic conventions
     * @param value a string, an int or a long; never a secret
     */
    default void attribute(String name, Object value) {}

    /**
     * Passes on the trace, before a request is sent.
     *
     * @param fields receives the name and the value of each header field or message property
     */
    default void propagate(BiConsumer<String, String> fields) {}

    /**
     * Passes on the trace of one request of a batch, before that is sent as a message of its own.
     *
     * @param index the place of the request in the batch
     * @param size the number of requests that are sent
     * @param fields receives the name and the value of each message property
     */
    default void propagate(int index, int size, BiConsumer<String, String> fields) {
        propagate(fields);
    }

    /**
     * This transaction is sent in a batch, with others.
     *
     * @param all the observations of the transactions in the batch, this one first: one for each request, in the order of the
     *     requests, if all are observed; then those of requests that are merged into these
     * @param size the number of requests in the batch, observed or not
     * @param now the reading of the ticker
     * @return what follows the batch; null when it is not followed
     */
    default @Nullable Observation batch(List<Observation> all, int size, long now) {
        return null;
    }

    /**
     * The transaction has ended, or the call of the batch. Nothing but {@link #exchanged} follows.
     *
     * @param answer the answer; null when there is none
     * @param ending how it ended without an answer; null when it was answered
     * @param now the reading of the ticker
     */
    default void ended(@Nullable Object answer, @Nullable Unanswered ending, long now) {}

    /**
     * Follows the transactions of flows, for traces and records: see {@link dev.penstock.flow.FlowBuilder#observer}. It is called
     * on the threads of transactions, so it must be quick and must not block. What it throws is dropped; the first time is logged.
     *
     * <p>Must be thread-safe.
     */
    @FunctionalInterface
    interface Observer {
        /**
         * A transaction begins on the calling thread.
         *
         * @param flow the name of its flow
         * @param request the request; null when it was rejected before it was known
         * @param now the reading of the flow's ticker, in nanoseconds
         * @return what follows the transaction; null when it is not followed
         */
        @Nullable
        Observation begin(String flow, @Nullable Object request, long now);
    }
}
