package dev.penstock;

import java.util.List;
import java.util.Map;

/**
 * The service at the end of a flow, with what it holds open. Safe for many threads.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public interface Target<Q, R> extends Service<Q, R>, AutoCloseable {
    /**
     * True: a target bounds each call by the deadline of its thread ({@link Deadline#current()}). One that cannot says false
     * here, and is then bounded by the flow.
     */
    @Override
    default boolean honorsDeadline() {
        return true;
    }

    /** Where it leads, in one short line without secrets, for people to read. */
    String where();

    /** Its settings as they are now; each may change from one call to the next. */
    List<Setting> settings();

    /** Those of its settings that may be pinned while it runs. */
    default List<LiveSetting> pinnable() {
        return List.of();
    }

    /** How many connections it has, by state ({@code leased}, {@code idle}, ...); {@code opened} counts all ever opened. */
    Map<String, Long> connections();

    /**
     * Where the time of all exchanges went, in nanoseconds by part ({@code waiting} for a connection, {@code connecting},
     * {@code answering}, ...), and {@code count}, how many there were; empty when it does not measure that.
     */
    default Map<String, Long> times() {
        return Map.of();
    }

    /** Closes every connection. What is still in flight ends as {@link Unknown}. Does nothing the second time. */
    @Override
    void close();
}
