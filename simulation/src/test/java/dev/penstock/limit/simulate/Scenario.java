package dev.penstock.limit.simulate;

import dev.penstock.kit.World;
import java.util.ArrayList;
import java.util.List;

/**
 * A story in phases.
 *
 * @param name unique
 * @param deadlineNanos after which an answer is of no use; 0 for none
 * @param phases one after another
 */
record Scenario(String name, long deadlineNanos, List<Phase> phases) {
    /**
     * A stretch in which target and load are the same.
     *
     * @param seconds how long it lasts
     * @param behaviour the target
     * @param rate transactions that arrive in a second, at random
     * @param on share of each second in which they arrive, all of them; 1 unless they come in bursts
     * @param atOnce how many come together at its start
     * @param best the limit that gives the most useful answers
     * @param steady whether it lasts long enough that everyone ought to have adapted for its second part
     */
    record Phase(double seconds, Behaviour behaviour, double rate, double on, int atOnce, int best, boolean steady) {
        long nanos() {
            return Math.round(seconds * World.SECOND);
        }

        /**
         * In how many seconds a tuner ought to have adapted: 10, or as long as 20 transactions one after another, or 1,000
         * arrivals take if that is longer.
         */
        double slowestToAdapt() {
            double transaction = (behaviour.workNanos() + behaviour.delayNanos()) / (double) World.SECOND;
            return Math.max(10, Math.max(20 * transaction, 1_000 / rate));
        }
    }

    static Story named(String name, double deadlineSeconds) {
        return new Story(name, Math.round(deadlineSeconds * World.SECOND));
    }

    double seconds() {
        return phases.stream().mapToDouble(Phase::seconds).sum();
    }

    /** Tells a scenario phase by phase. */
    static final class Story {
        private final String name;
        private final long deadline;
        private final List<Phase> phases = new ArrayList<>();

        private Story(String name, long deadline) {
            this.name = name;
            this.deadline = deadline;
        }

        Story phase(double seconds, Behaviour behaviour, double rate, int best) {
            phases.add(new Phase(seconds, behaviour, rate, 1, 0, best, seconds >= 20));
            return this;
        }

        Story bursts(double seconds, Behaviour behaviour, double rate, double on, int best) {
            phases.add(new Phase(seconds, behaviour, rate, on, 0, best, seconds >= 20));
            return this;
        }

        /** So many come at once, then at a rate. */
        Story burst(double seconds, Behaviour behaviour, double rate, int atOnce, int best) {
            phases.add(new Phase(seconds, behaviour, rate, 1, atOnce, best, false));
            return this;
        }

        /** Passes in small steps; no step of it is steady. */
        Story step(double seconds, Behaviour behaviour, double rate, int best) {
            phases.add(new Phase(seconds, behaviour, rate, 1, 0, best, false));
            return this;
        }

        Scenario end() {
            return new Scenario(name, deadline, List.copyOf(phases));
        }
    }
}
