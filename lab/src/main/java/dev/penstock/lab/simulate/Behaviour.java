package dev.penstock.lab.simulate;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what happens to each request. Pure: depends on the time and an injected random generator. Draws are made in
 * the order in which requests were fully read, so the same seed and order give the same events.
 *
 * <p>Thread-safe.
 */
final class Behaviour {
    /**
     * What happens to one request.
     *
     * @param delay nanoseconds from the last byte read to the answer
     * @param status of the answer
     * @param cut whether the connection is closed halfway instead of an answer
     */
    record Course(long delay, int status, boolean cut) {}

    private final HttpSimulatorBuilder plan;
    private final RandomGenerator random;
    private long cutSoFar;

    Behaviour(HttpSimulatorBuilder plan, RandomGenerator random) {
        this.plan = plan;
        this.random = random;
    }

    /** Draws what happens to a request that was fully read at this time. */
    synchronized Course draw(long nanos) {
        if (nanos == FaultClock.NOT_BEGUN) {
            return new Course(0, plan.status, false);
        }
        long delay = plan.delay.nanos(random);
        boolean error = plan.errorShare > 0 && random.nextDouble() < plan.errorShare;
        boolean cut = cuts(nanos);
        if (cut) {
            cutSoFar++;
        }
        return new Course(delay, error && !cut ? plan.errorStatus : plan.status, cut);
    }

    /** Whether the connection is closed after an answer written at this time. */
    boolean closesAfterAnswer(long nanos) {
        return plan.closings.at(nanos) == Closing.HEADER;
    }

    /** How idle connections are closed at this time; null when they are not. */
    @Nullable
    Closing idleClosing(long nanos) {
        Closing way = plan.closings.at(nanos);
        return way != null && way.closesIdle() ? way : null;
    }

    private boolean cuts(long nanos) {
        return plan.closings.at(nanos) == Closing.CUT
                && cutSoFar < plan.cutAtMost
                && (plan.cutShare >= 1 || random.nextDouble() < plan.cutShare);
    }
}
