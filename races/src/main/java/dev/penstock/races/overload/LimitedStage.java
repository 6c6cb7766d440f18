package dev.penstock.races.overload;

import dev.penstock.Service;
import dev.penstock.lab.load.Intake;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * How a contestant lets requests to the stage: offered by the thread that accepts them ({@link #take}), which must not wait and
 * does no work, or called by a user who waits ({@link #call}).
 */
interface LimitedStage extends Intake<Long, Long>, AutoCloseable {
    /** How many it lets in at once, as of now; empty where there is no bound. */
    OptionalInt permits();

    /** How evenly several flows were served, see {@link ParallelFlows}; empty where there is one. */
    default OptionalDouble fairness() {
        return OptionalDouble.empty();
    }

    /** Ends its threads; waits for nothing. */
    @Override
    void close();

    /** Calls a service on the calling thread, and tells how that ended. */
    static void carry(Service<Long, Long> service, Long request, Intake.Reply<? super Long> reply) {
        try {
            reply.answered(service.call(request));
        } catch (Throwable e) {
            reply.threw(e);
        }
    }
}
