package dev.penstock.limit;

import dev.penstock.Failed;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The right to make one call to the target. Release it exactly once, by the method that names the outcome of the call; until
 * then it counts as in flight. Each of these methods throws an {@link IllegalStateException} if the permit was already released.
 *
 * <p>Thread-safe: if several threads release it, exactly one succeeds.
 */
public final class Permit {
    /** The outcome of a call, with which its permit is released. */
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

    private final Consumer<Outcome> onRelease;
    private final AtomicReference<@Nullable Outcome> releasedAs = new AtomicReference<>();

    /** A permit in use; {@code onRelease} is called once, by the first thread that releases it. */
    Permit(Consumer<Outcome> onRelease) {
        this.onRelease = onRelease;
    }

    /** Releases the permit: the target answered. */
    public void success() {
        release(Outcome.SUCCESS);
    }

    /** Releases the permit: the target was too busy or too slow. */
    public void dropped() {
        release(Outcome.DROPPED);
    }

    /** Releases the permit: the target or the network ended the call without an answer, for instance by a refusal. */
    public void failed() {
        release(Outcome.FAILED);
    }

    /** Releases the permit: the call does not show the capacity of the target. */
    public void ignored() {
        release(Outcome.IGNORED);
    }

    private void release(Outcome outcome) {
        Outcome before = releasedAs.compareAndExchange(null, outcome);
        if (before != null) {
            throw new IllegalStateException(
                    "this permit was already released as " + before + "; release each permit once");
        }
        onRelease.accept(outcome);
    }
}
