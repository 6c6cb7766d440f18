package dev.penstock.limit;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import org.jspecify.annotations.Nullable;

/**
 * Decides the number of permits from samples of the load. It has no thread and no clock of its own.
 *
 * <p>{@link #permits()} and {@link #reason()} are read by many threads; the other methods are called by one thread at a time.
 * {@code now} is the reading of the ticker, in nanoseconds.
 */
public interface LimitController {
    /** What keeps a limit from growing. */
    enum LimitingFactor {
        /** A person has set the limit. */
        PINNED,
        /** Throughput still rises, but the limit is at its upper bound. */
        UPPER_BOUND,
        /** More in flight gives no more answers, or fewer. */
        MEASURED,
        /** Not enough has been measured yet. */
        MEASURING
    }

    /**
     * A range in which more in flight gave no more answers.
     *
     * @param from the lowest number in flight with about the best throughput
     * @param at the highest number in flight that was tried recently
     * @param slower how much longer an answer took at {@code at} than at {@code from}, as a fraction: 0.03 for 3 %
     */
    record Plateau(int from, int at, double slower) {}

    /** The outcome of a call, with which its permit is released. */
    enum Outcome {
        /** The target answered: the call's time counts as a measurement. */
        SUCCESS,
        /** The target was too busy or too slow: a sign of overload. */
        DROPPED,
        /**
         * The target or the network ended the call without an answer. A single failure may be a faulty request, or a refusal
         * because of too many calls in flight; only the correlation of failures with the number in flight shows which.
         */
        FAILED,
        /** The call does not show the capacity of the target: the caller stopped waiting, or this process failed. */
        IGNORED;

        /** The outcome of a call that ended with an exception. */
        static Outcome of(Throwable ending) {
            return switch (ending) {
                case Unanswered ours when ours.isOwnFault() -> IGNORED;
                case Failed failed -> failed.why() == Failed.Cause.NOT_THERE ? SUCCESS : FAILED;
                case Unknown unknown -> unknown.why() == Unknown.Cause.TIMEOUT ? DROPPED : FAILED;
                case InterruptedException interrupted -> IGNORED;
                case Exception unexpected -> FAILED;
                default -> IGNORED; // an Error is a fault of this process
            };
        }
    }

    /** The current number of permits; at least 1. */
    int permits();

    /** The reason for this number: one sentence, with numbers. */
    String reason();

    /** What keeps the limit from growing. */
    default LimitingFactor limitingFactor() {
        return LimitingFactor.MEASURING;
    }

    /** The range in which more in flight gave no more answers; null when none was seen. */
    default @Nullable Plateau plateau() {
        return null;
    }

    /** The number of permits to start with after a restart; 0 while nothing has been measured. */
    default int learned() {
        return 0;
    }

    /** Takes a sample into account: when an attempt finishes, at most about every 10 ms. */
    void sample(LoadSample sample);

    /** So many requests found no permit free, and no attempt has finished for a while; at most about every 10 ms. */
    default void blocked(long now, long blocked) {}

    /** Starts again from a number of permits, for a reason of one sentence: earlier measurements do not apply any more. */
    default void restart(int permits, long now, String reason) {}
}
