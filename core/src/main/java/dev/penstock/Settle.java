package dev.penstock;

import dev.penstock.Setting.Origin;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Configures how unknown endings are resolved by a status probe: when the probe asks the target for the outcome of a
 * transaction, and how often. Immutable; each method returns a changed copy.
 *
 * <p>Defaults: the first query 1 s after the attempt has ended, and at most 3 queries, 1 s apart. Each wait is extended
 * by a random part of up to a half, so that transactions that were lost together do not ask at the same time.
 *
 * @param <Q> the request
 * @param <R> the answer
 */
public final class Settle<Q, R> {
    /** The default wait before each status query. */
    public static final Duration DEFAULT_AFTER = Duration.ofSeconds(1);

    private static final Duration LONGEST_AFTER = Duration.ofHours(1);
    /** The default maximum number of status queries after each attempt: {@value}. */
    public static final int DEFAULT_QUERIES = 3;

    private final StatusProbe<Q, R> probe;
    private final @Nullable Duration after;
    private final @Nullable Integer queries;

    private Settle(StatusProbe<Q, R> probe, @Nullable Duration after, @Nullable Integer queries) {
        this.probe = probe;
        this.after = after;
        this.queries = queries;
    }

    /**
     * Uses a probe, with the defaults above.
     *
     * @param <Q> the request
     * @param <R> the answer
     * @param probe asks for the status of a transaction
     * @return the configuration
     */
    public static <Q, R> Settle<Q, R> by(StatusProbe<Q, R> probe) {
        return new Settle<>(probe, null, null);
    }

    /**
     * Sets the minimum wait before each query. Default: 1 s. When an attempt has ended, its request may still be in transit
     * or in progress, and the answer "not there" is reliable only once it can no longer arrive. So set this to the longest
     * time between the end of a connection and the moment from which the target reports the transaction. For a target that
     * records a transaction on arrival that is less than the default; for one that records it on completion it is its longest
     * processing time.
     *
     * @param wait 0 to 1 h
     * @return a changed copy
     * @throws IllegalArgumentException when out of range
     */
    public Settle<Q, R> after(Duration wait) {
        return new Settle<>(probe, Ranges.within("settle.after", wait, Duration.ZERO, LONGEST_AFTER), queries);
    }

    /**
     * Sets the maximum number of queries after each attempt that ended as unknown. Default: 3.
     *
     * @param most 1 to 10
     * @return a changed copy
     * @throws IllegalArgumentException when out of range
     */
    public Settle<Q, R> queries(int most) {
        return new Settle<>(probe, after, Ranges.within("settle.queries", most, 1, 10));
    }

    /** {@return the status probe} */
    public StatusProbe<Q, R> probe() {
        return probe;
    }

    /** {@return the minimum wait before each query} */
    public Duration after() {
        return after == null ? DEFAULT_AFTER : after;
    }

    /** {@return the maximum number of queries after each attempt that ended as unknown} */
    public int queries() {
        return queries == null ? DEFAULT_QUERIES : queries;
    }

    /**
     * {@return this configuration as settings, including those of the probe}
     *
     * @param since when the settings took their values
     */
    public List<Setting> settings(Instant since) {
        List<Setting> all = new ArrayList<>();
        all.add(new Setting(
                "settle.after",
                Durations.format(after()),
                "0..1 h",
                "minimum wait before each status query; a request in transit may still arrive",
                since,
                origin(after)));
        all.add(new Setting(
                "settle.queries",
                Integer.toString(queries()),
                "1..10",
                "maximum status queries; a transaction not resolved by then stays unknown",
                since,
                origin(queries)));
        all.addAll(probe.settings());
        return List.copyOf(all);
    }

    private static Origin origin(@Nullable Object given) {
        return given == null ? Origin.DEFAULT : Origin.GIVEN;
    }

    @Override
    public String toString() {
        return "at most %d queries, each after %s".formatted(queries(), Durations.format(after()));
    }
}
