package dev.penstock.lab.simulate;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of each request: pure, from a time and injected chance. Draws are made in the order in which requests were
 * fully read, so one seed and one order give one course of events.
 *
 * <p>Safe for many threads.
 */
final class Behaviour {
    /**
     * What becomes of one request.
     *
     * @param delay nanoseconds from fully read to answered
     * @param status of the answer
     * @param cut gets no answer: the connection is closed halfway
     */
    record Course(long delay, int status, boolean cut) {}

    private final HttpSimulatorBuilder plan;
    private final RandomGenerator random;
    private long cutSoFar;

    Behaviour(HttpSimulatorBuilder plan, RandomGenerator random) {
        this.plan = plan;
        this.random = random;
    }

    /** Draws what becomes of a request that was fully read at that time. */
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

    /** Whether an answer written at that time is the last of its connection. */
    boolean closesAfterAnswer(long nanos) {
        return plan.closings.at(nanos) == Closing.HEADER;
    }

    /** The way in which idle connections are closed at that time; null when they are not. */
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
