package dev.penstock;

import dev.penstock.Collapse.Prefer;
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
 * @param maxGiven the maximum number of requests per batch; null for the default
 * @param maxBytes the maximum number of bytes per batch; {@code Long.MAX_VALUE} for no limit
 * @param bytesOrigin the origin of {@code maxBytes}
 * @param size returns the size of a request in bytes
 * @param prefer the objective
 * @param share the maximum wait as a share of the mean call time
 * @param time the maximum wait, which replaces the share; null: use the share
 * @param same the key by which equal requests are merged; null for no merging
 * @param unique the key that must be unique within a batch; null for none
 * @param scope the key of the open batch that a request joins; null for one open batch
 * @param halving which unanswered batches are split in halves
 * @param single the service for single requests; null for a batch of one
 * @param fit which requests may share a batch; null for all
 * @param <Q> the request
 * @param <R> the answer
 */
public record CollapseSettings<Q, R>(
        @Nullable Integer maxGiven,
        long maxBytes,
        Origin bytesOrigin,
        ToLongFunction<? super Q> size,
        Prefer prefer,
        double share,
        @Nullable Duration time,
        @Nullable Function<? super Q, ? extends @Nullable Object> same,
        @Nullable Function<? super Q, ? extends @Nullable Object> unique,
        @Nullable Function<? super Q, ?> scope,
        Halving halving,
        @Nullable Service<? super Q, ? extends R> single,
        @Nullable Predicate<? super Q> fit) {

    /** Which unanswered batches of two or more requests are split in halves. */
    public enum Halving {
        /** None. */
        NONE,
        /** Batches that the target refused or undid as a whole. */
        REFUSED,
        /** Also batches whose target threw an unexpected exception or gave a wrong answer; for read-only batch functions. */
        MISTAKEN
    }

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException when a value is out of its range
     */
    public CollapseSettings {
        if (maxGiven != null && (maxGiven < 1 || maxGiven > Collapse.LARGEST_BATCH)) {
            throw new IllegalArgumentException(
                    "a batch has 1 to " + Collapse.LARGEST_BATCH + " requests, not " + maxGiven);
        }
        if (maxBytes < 1) {
            throw new IllegalArgumentException("the maximum size of a batch is 1 byte or more, not " + maxBytes);
        }
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("a budget is a share from 0 to 1, not " + share);
        }
        if (time != null && time.isNegative()) {
            throw new IllegalArgumentException("a budget is 0 or more, not " + Durations.format(time));
        }
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

    /** {@return the maximum number of requests per batch} */
    public int max() {
        return maxGiven == null ? Collapse.DEFAULT_MAX : maxGiven;
    }

    /** {@return the fixed maximum wait in nanoseconds; negative if the share applies} */
    public long timeNanos() {
        return time == null ? -1 : Durations.nanos(time);
    }

    static <Q, R> CollapseSettings<Q, R> standard() {
        return new CollapseSettings<>(
                null,
                Long.MAX_VALUE,
                Origin.DEFAULT,
                request -> 0,
                Prefer.AUTO,
                Collapse.DEFAULT_SHARE,
                null,
                null,
                null,
                null,
                Halving.REFUSED,
                null,
                null);
    }

    /**
     * {@return a copy with another maximum number of requests per batch}
     *
     * @param requests the maximum number of requests per batch
     */
    public CollapseSettings<Q, R> withMax(int requests) {
        return new CollapseSettings<>(
                requests, maxBytes, bytesOrigin, size, prefer, share, time, same, unique, scope, halving, single, fit);
    }

    CollapseSettings<Q, R> withMaxBytes(long bytes, ToLongFunction<? super Q> of, Origin by) {
        return new CollapseSettings<>(
                maxGiven, bytes, by, of, prefer, share, time, same, unique, scope, halving, single, fit);
    }

    CollapseSettings<Q, R> withShare(double part) {
        return new CollapseSettings<>(
                maxGiven, maxBytes, bytesOrigin, size, prefer, part, null, same, unique, scope, halving, single, fit);
    }

    /**
     * {@return a copy with another maximum wait; null for the share}
     *
     * @param pinned the maximum wait; null for the share
     */
    public CollapseSettings<Q, R> withTime(@Nullable Duration pinned) {
        return new CollapseSettings<>(
                maxGiven,
                maxBytes,
                bytesOrigin,
                size,
                prefer,
                share,
                pinned,
                same,
                unique,
                scope,
                halving,
                single,
                fit);
    }

    CollapseSettings<Q, R> withPrefer(Prefer what) {
        return new CollapseSettings<>(
                maxGiven, maxBytes, bytesOrigin, size, what, share, time, same, unique, scope, halving, single, fit);
    }

    CollapseSettings<Q, R> withSame(Function<? super Q, ? extends @Nullable Object> key) {
        return new CollapseSettings<>(
                maxGiven, maxBytes, bytesOrigin, size, prefer, share, time, key, unique, scope, halving, single, fit);
    }

    CollapseSettings<Q, R> withKey(Function<? super Q, ? extends @Nullable Object> key) {
        return new CollapseSettings<>(
                maxGiven, maxBytes, bytesOrigin, size, prefer, share, time, same, key, scope, halving, single, fit);
    }

    CollapseSettings<Q, R> withScope(Function<? super Q, ?> key) {
        return new CollapseSettings<>(
                maxGiven, maxBytes, bytesOrigin, size, prefer, share, time, same, unique, key, halving, single, fit);
    }

    CollapseSettings<Q, R> withHalving(Halving wanted) {
        return new CollapseSettings<>(
                maxGiven, maxBytes, bytesOrigin, size, prefer, share, time, same, unique, scope, wanted, single, fit);
    }

    CollapseSettings<Q, R> withSingle(Service<? super Q, ? extends R> alone) {
        return new CollapseSettings<>(
                maxGiven, maxBytes, bytesOrigin, size, prefer, share, time, same, unique, scope, halving, alone, fit);
    }

    CollapseSettings<Q, R> withFit(Predicate<? super Q> which) {
        return new CollapseSettings<>(
                maxGiven,
                maxBytes,
                bytesOrigin,
                size,
                prefer,
                share,
                time,
                same,
                unique,
                scope,
                halving,
                single,
                which);
    }
}
