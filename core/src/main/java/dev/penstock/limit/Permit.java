package dev.penstock.limit;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The right to call the target once. Close it exactly once, by what became of the call; until then it counts as in flight.
 *
 * <p>Safe for many threads: of several that close it, one succeeds.
 */
public final class Permit {
    /** How a permit is closed. */
    public enum Outcome {
        /** The target did its work: the time it took tells something about the target. */
        SUCCESS,
        /** The target was too busy, or too late: a sign of overload. */
        DROPPED,
        /**
         * The target, or the way to it, ended the call without an answer. One such call does not tell why: it may be a
         * faulty request, or a refusal because too many calls are in flight. How failures vary with the number in flight does.
         */
        FAILED,
        /** It tells nothing about how much the target can take, for instance as the caller stopped waiting. */
        IGNORED;

        /** The outcome of a call that ended like this instead of with an answer. */
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

    private final Consumer<Outcome> giveBack;
    private final AtomicReference<@Nullable Outcome> closedAs = new AtomicReference<>();

    /**
     * A permit that is out.
     *
     * @param giveBack called once, by who closes it first
     */
    Permit(Consumer<Outcome> giveBack) {
        this.giveBack = giveBack;
    }

    /**
     * Gives the permit back: the call did its work.
     *
     * @throws IllegalStateException when it was closed before
     */
    public void success() {
        close(Outcome.SUCCESS);
    }

    /**
     * Gives the permit back: the target was too busy or too late.
     *
     * @throws IllegalStateException when it was closed before
     */
    public void dropped() {
        close(Outcome.DROPPED);
    }

    /**
     * Gives the permit back: the target, or the way to it, ended the call without an answer, for instance by a refusal.
     *
     * @throws IllegalStateException when it was closed before
     */
    public void failed() {
        close(Outcome.FAILED);
    }

    /**
     * Gives the permit back: the call tells nothing about what the target can take.
     *
     * @throws IllegalStateException when it was closed before
     */
    public void ignored() {
        close(Outcome.IGNORED);
    }

    private void close(Outcome outcome) {
        Outcome before = closedAs.compareAndExchange(null, outcome);
        if (before != null) {
            throw new IllegalStateException("this permit was already closed as " + before + "; close each permit once");
        }
        giveBack.accept(outcome);
    }
}
