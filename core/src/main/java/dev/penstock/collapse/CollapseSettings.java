package dev.penstock.collapse;

import dev.penstock.Durations;
import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Setting.Origin;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Collapse} was told.
 *
 * @param maxGiven how many requests a batch has at most; null for the default
 * @param maxBytes how many bytes; {@code Long.MAX_VALUE} for no bound
 * @param bytesOrigin who chose the bytes
 * @param size how many bytes a request adds
 * @param prefer what batches are for
 * @param share which part of the time of a call a request may wait
 * @param time how long it may wait, in place of that; null for the share
 * @param same what a request asks for; null when nothing is merged
 * @param unique what no two requests of a batch may have in common; null for nothing
 * @param scope which batches a request belongs to; null for one batch for all
 * @param halving which batches that were not answered are sent in halves
 * @param single carries what travels alone; null for a batch of one
 * @param fit what may travel with others; null for everything
 */
record CollapseSettings<Q, R>(
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

    /** Which batches of two and more are sent in halves. */
    enum Halving {
        NONE,
        /** Those that the target has refused as a whole, or undone. */
        REFUSED,
        /** Those too whose target made a mistake: nothing that they do has an effect. */
        MISTAKEN
    }

    CollapseSettings {
        if (maxGiven != null && (maxGiven < 1 || maxGiven > Collapse.MOST)) {
            throw new IllegalArgumentException("a batch has 1 to " + Collapse.MOST + " requests, not " + maxGiven);
        }
        if (maxBytes < 1) {
            throw new IllegalArgumentException("a batch has room for more than 0 bytes, not " + maxBytes);
        }
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("a budget is a share of 0 to 1, not " + share);
        }
        if (time != null && time.isNegative()) {
            throw new IllegalArgumentException("a budget is 0 or more, not " + Durations.words(time));
        }
    }

    /** The ending of a request of which a function of the settings could not tell what it is to. */
    static Failed broken(Throwable thrown) {
        return new Failed(
                Failed.Cause.UNDONE,
                "nothing was sent, as a function of its collapse threw " + thrown + "; mend only, per, same, unique or"
                        + " maxBytes so that it takes every request",
                thrown);
    }

    /** How many requests a batch has at most. */
    int max() {
        return maxGiven == null ? Collapse.MAX : maxGiven;
    }

    /** How long a request may wait, in nanoseconds; negative for a share. */
    long timeNanos() {
        return time == null ? -1 : Durations.nanos(time);
    }

    static <Q, R> CollapseSettings<Q, R> standard() {
        return new CollapseSettings<>(
                null,
                Long.MAX_VALUE,
                Origin.DEFAULT,
                request -> 0,
                Prefer.AUTO,
                Collapse.SHARE,
                null,
                null,
                null,
                null,
                Halving.REFUSED,
                null,
                null);
    }

    CollapseSettings<Q, R> withMax(int requests) {
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

    CollapseSettings<Q, R> withTime(@Nullable Duration pinned) {
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
