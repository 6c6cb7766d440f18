package dev.penstock.limit;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
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
        /** It tells nothing about how much the target can take, for instance a name that does not resolve. */
        IGNORED;

        /** Only what the target did tells how much it can take; what never got there, or was refused unread, does not. */
        static Outcome of(Unanswered ending) {
            return switch (ending) {
                case Rejected rejected -> IGNORED;
                case Failed failed ->
                    switch (failed.why()) {
                        // How long it takes to undo something says as little as a refusal about what the target can
                        // take.
                        case CONNECT, REFUSED, ROLLED_BACK, UNDONE -> IGNORED;
                        case NOT_THERE -> SUCCESS;
                    };
                case Unknown unknown -> unknown.why() == Unknown.Cause.TIMEOUT ? DROPPED : IGNORED;
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
