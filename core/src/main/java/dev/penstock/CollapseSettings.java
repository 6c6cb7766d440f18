package dev.penstock;

import dev.penstock.Setting.Origin;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a {@link Collapse}, as its stage reads it.
 *
 * @param bounds the size of the largest batch
 * @param budget how long a request may wait for others, and to what end
 * @param grouping which requests share a batch
 * @param halving which unanswered batches are split in halves
 * @param single the service for single requests; null for a batch of one
 * @param <Q> the request
 * @param <R> the answer
 */
public record CollapseSettings<Q, R>(
        Bounds<Q> bounds,
        Budget budget,
        Grouping<Q> grouping,
        Halving halving,
        @Nullable Service<? super Q, ? extends R> single) {

    /**
     * The size of the largest batch.
     *
     * @param max the maximum number of requests
     * @param maxOrigin the origin of {@code max}
     * @param bytes the maximum number of bytes; {@code Long.MAX_VALUE} for no limit
     * @param bytesOrigin the origin of {@code bytes}
     * @param size returns the size of a request in bytes
     * @param <Q> the request
     */
    public record Bounds<Q>(
            int max, Origin maxOrigin, long bytes, Origin bytesOrigin, ToLongFunction<? super Q> size) {}

    /**
     * How long a request may wait for others.
     *
     * @param share the maximum wait as a share of the mean call time
     * @param time the maximum wait, which replaces the share; null: use the share
     */
    public record Budget(double share, @Nullable Duration time) {
        /** {@return the fixed maximum wait in nanoseconds; negative if the share applies} */
        public long nanos() {
            return time == null ? -1 : Durations.nanos(time);
        }
    }

    /**
     * Which requests share a batch.
     *
     * @param same the key by which equal requests are merged; null for no merging
     * @param unique the key that must be unique within a batch; null for none
     * @param scope the key of the open batch that a request joins; null for one open batch
     * @param fit which requests may share a batch; null for all
     * @param <Q> the request
     */
    public record Grouping<Q>(
            @Nullable Function<? super Q, ? extends @Nullable Object> same,
            @Nullable Function<? super Q, ? extends @Nullable Object> unique,
            @Nullable Function<? super Q, ?> scope,
            @Nullable Predicate<? super Q> fit) {}

    /** Which unanswered batches of two or more requests are split in halves. */
    public enum Halving {
        /** None. */
        NONE,
        /** Batches that the target refused or undid as a whole. */
        REFUSED,
        /** Also batches whose target threw an unexpected exception or gave a wrong answer; for read-only batch functions. */
        MISTAKEN
    }

    CollapseSettings<Q, R> with(Bounds<Q> changed) {
        return new CollapseSettings<>(changed, budget, grouping, halving, single);
    }

    CollapseSettings<Q, R> with(Budget changed) {
        return new CollapseSettings<>(bounds, changed, grouping, halving, single);
    }

    CollapseSettings<Q, R> with(Grouping<Q> changed) {
        return new CollapseSettings<>(bounds, budget, changed, halving, single);
    }

    CollapseSettings<Q, R> with(Halving changed) {
        return new CollapseSettings<>(bounds, budget, grouping, changed, single);
    }

    CollapseSettings<Q, R> with(Service<? super Q, ? extends R> changed) {
        return new CollapseSettings<>(bounds, budget, grouping, halving, changed);
    }

    /**
     * {@return the ending of a request for which a function of the settings threw}
     *
     * @param thrown what the function threw
     */
    public static Failed broken(Throwable thrown) {
        return new Failed(
                Failed.Cause.UNDONE,
                "not sent: a function of the collapse threw " + thrown
                        + "; correct the function passed to only, per, same,"
                        + " unique or maxBytes so that it accepts every request",
                thrown);
    }
}
