package dev.penstock.limit;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The right to make one call to the target. Close it exactly once, by the method that matches the outcome of the call; until
 * then it counts as in flight.
 *
 * <p>Thread-safe: if several threads close it, exactly one succeeds.
 */
public final class Permit {
    /** The outcome of a call, by which its permit is closed. */
    public enum Outcome {
        /** The target answered: the call's time counts as a measurement. */
        SUCCESS,
        /** The target was too busy or too slow: a sign of overload. */
        DROPPED,
        /**
         * The target or the network ended the call without an answer. A single failure may be a faulty request, or a refusal
         * because of too many calls in flight; only the correlation of failures with the number in flight shows which.
         */
        FAILED,
        /** The call does not show the capacity of the target, for instance because the caller stopped waiting. */
        IGNORED;

        /** The outcome of a call that ended with an exception. */
        static Outcome of(Throwable ending) {
            return switch (ending) {
                case Rejected rejected -> of(rejected.why());
                case Failed failed -> failed.why() == Failed.Cause.NOT_THERE ? SUCCESS : FAILED;
                case Unknown unknown -> of(unknown.why());
                case InterruptedException interrupted -> IGNORED;
                case Exception unexpected -> FAILED;
                default -> IGNORED; // an Error is a fault of this process
            };
        }

        private static Outcome of(Rejected.Cause cause) {
            return switch (cause) {
                case LIMIT, QUEUE, BREAKER, POOL -> FAILED;
                case DEADLINE, DRAINING -> IGNORED;
            };
        }

        private static Outcome of(Unknown.Cause cause) {
            return switch (cause) {
                case TIMEOUT -> DROPPED;
                case CLOSED, GARBLED, ERROR -> FAILED;
                case INTERRUPTED -> IGNORED;
            };
        }
    }

    private final Consumer<Outcome> release;
    private final AtomicReference<@Nullable Outcome> closedAs = new AtomicReference<>();

    /**
     * A permit in use.
     *
     * @param release releases the permit; called once, by the first thread that closes it
     */
    Permit(Consumer<Outcome> release) {
        this.release = release;
    }

    /**
     * Releases the permit: the target answered.
     *
     * @throws IllegalStateException when it was already closed
     */
    public void success() {
        close(Outcome.SUCCESS);
    }

    /**
     * Releases the permit: the target was too busy or too slow.
     *
     * @throws IllegalStateException when it was already closed
     */
    public void dropped() {
        close(Outcome.DROPPED);
    }

    /**
     * Releases the permit: the target or the network ended the call without an answer, for instance by a refusal.
     *
     * @throws IllegalStateException when it was already closed
     */
    public void failed() {
        close(Outcome.FAILED);
    }

    /**
     * Releases the permit: the call does not show the capacity of the target.
     *
     * @throws IllegalStateException when it was already closed
     */
    public void ignored() {
        close(Outcome.IGNORED);
    }

    private void close(Outcome outcome) {
        Outcome before = closedAs.compareAndExchange(null, outcome);
        if (before != null) {
            throw new IllegalStateException("this permit was already closed as " + before + "; close each permit once");
        }
        release.accept(outcome);
    }
}
