package dev.penstock.races.overload;

import dev.penstock.Service;
import dev.penstock.lab.load.Intake;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * A contestant in front of the stage. Requests are either offered by the accepting thread ({@link #take}), which must
 * not block and does no work, or called by a waiting user ({@link #call}).
 */
interface LimitedStage extends Intake<Long, Long>, AutoCloseable {
    /** The current concurrency limit; empty when unlimited. */
    OptionalInt permits();

    /** The fairness between several flows, see {@link ParallelFlows}; empty with one flow. */
    default OptionalDouble fairness() {
        return OptionalDouble.empty();
    }

    /** Ends its threads without waiting. */
    @Override
    void close();

    /** Calls a service on the calling thread and reports the ending. */
    static void callAndReply(Service<Long, Long> service, Long request, Intake.Reply<? super Long> reply) {
        try {
            reply.answered(service.call(request));
        } catch (Throwable e) {
            reply.threw(e);
        }
    }
}
