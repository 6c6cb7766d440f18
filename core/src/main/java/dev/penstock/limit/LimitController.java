package dev.penstock.limit;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import org.jspecify.annotations.Nullable;

/**
 * Decides the number of permits from the calls of each {@link Turn}. It has no thread and no clock of its own.
 *
 * <p>{@link #update} and {@link #restart} are called by one thread at a time, the other methods by many.
 * {@code now} is the reading of the ticker, in nanoseconds.
 */
public interface LimitController {
    /** What keeps a limit from growing. */
    enum LimitingFactor {
        /** A person has set the limit. */
        PINNED,
        /** The connections of the target's pool are fewer than the limit that was given. */
        POOL,
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
     * @param from the lower number in flight of the last pair of turns
     * @param at the higher one
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

    /** The turn that a call which begins now belongs to; null when nothing is learned from calls. */
    default @Nullable Turn turn(long now) {
        return null;
    }

    /**
     * How long a call that has a permit is to wait before it begins, in nanoseconds; takes that slot. -1 when it would have to wait
     * longer than {@code most}: it takes none then.
     */
    default long pace(long now, long most) {
        return 0;
    }

    /** How many calls may begin a second; infinite for no bound. */
    default double callsPerSecond() {
        return Double.POSITIVE_INFINITY;
    }

    /** Calls have ended, or found no permit free: decides anew. At most about every millisecond. */
    default void update(long now, int inFlight) {}

    /** Starts again from a number of permits, for a reason of one sentence: earlier measurements do not apply any more. */
    default void restart(int permits, long now, String reason) {}
}
