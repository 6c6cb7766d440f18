package dev.penstock;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The service at the end of a flow, with the connections it holds. Thread-safe.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public interface Target<Q, R> extends Service<Q, R>, AutoCloseable {
    /**
     * True: a target bounds each call by the deadline of its thread ({@link Deadline#current()}). A target that cannot do so
     * returns false; the flow then enforces the deadline.
     */
    @Override
    default boolean honorsDeadline() {
        return true;
    }

    /** {@return the address of the target, in one short line without secrets, for display} */
    String where();

    /** {@return the current settings; they may differ from call to call} */
    List<Setting> settings();

    /**
     * {@return how many calls its connections can carry at once} A limit in front of it is never higher, so that calls wait in
     * the queue of the flow, which knows their deadlines, and not for a connection.
     *
     * <p>Default: {@link Integer#MAX_VALUE}, unlimited. Must always return the same value, 1 or more.
     */
    default int maxConcurrency() {
        return Integer.MAX_VALUE;
    }

    /** {@return the settings that can be pinned at run time} */
    default List<LiveSetting> pinnable() {
        return List.of();
    }

    /**
     * {@return the number of connections by state ({@code leased}, {@code idle}, ...), and totals of connections since the
     * start ({@code opened}, {@code found_closed}, ...)} All are the metric {@code penstock_connections}, a gauge. What is
     * counted of calls belongs to {@link #counters}. Default: none.
     */
    default Map<String, Long> connections() {
        return Map.of();
    }

    /**
     * {@return totals of what the target counts of its calls, by family and result; empty when it counts nothing itself} The
     * family {@code endpoint_calls} is the metric {@code penstock_endpoint_calls_total}, a counter with the label {@code
     * result}.
     */
    default Map<String, Map<String, Long>> counters() {
        return Map.of();
    }

    /**
     * {@return the total time of all exchanges by phase, in nanoseconds ({@code waiting} for a connection, {@code connecting},
     * {@code answering}, ...), and their number as {@code count}; empty when the target does not measure this}
     */
    default Map<String, Long> times() {
        return Map.of();
    }

    /** {@return the state of each of its endpoints; empty unless it balances calls between several} */
    default List<EndpointReport> endpoints() {
        return List.of();
    }

    /** Closes every connection. Calls still in flight end as {@link Unknown}. Idempotent. */
    @Override
    void close();

    /**
     * The state of one endpoint.
     *
     * @param where its address, without the query, which may hold a secret; with {@code #} and its number if several endpoints
     *     have this address
     * @param outstanding calls sent to it or waiting for a permit, and not ended
     * @param calls calls that it did not reject, including those outstanding
     * @param failures calls that failed, in the sense of an ejection
     * @param rejected calls that it rejected, for instance because of its limit
     * @param ejections how often it was ejected
     * @param ejected whether it is ejected now, until a trial call succeeds
     * @param ejectedFor how much longer it gets no calls at all; 0 if it may get some
     */
    record EndpointReport(
            String where,
            int outstanding,
            long calls,
            long failures,
            long rejected,
            long ejections,
            boolean ejected,
            Duration ejectedFor) {}

    /** Sends its requests in another form over another target, and is shown as that one. */
    interface Converting<Q, R> extends Target<Q, R> {
        /** {@return the other target, which is closed with this one} */
        Target<?, ?> target();

        @Override
        default String where() {
            return target().where();
        }

        @Override
        default List<Setting> settings() {
            return target().settings();
        }

        @Override
        default int maxConcurrency() {
            return target().maxConcurrency();
        }

        @Override
        default Map<String, Long> connections() {
            return target().connections();
        }

        @Override
        default Map<String, Map<String, Long>> counters() {
            return target().counters();
        }

        @Override
        default Map<String, Long> times() {
            return target().times();
        }

        @Override
        default void close() {
            target().close();
        }
    }

    /** A pool of connections that is no target, such as a data source. Thread-safe. */
    interface Pool {
        /** {@return its name, for display} */
        String name();

        /** {@return the number of connections by state, as {@link Target#connections}} */
        Map<String, Long> connections();

        /** {@return the current settings} */
        List<Setting> settings();
    }
}
