package dev.penstock.limit.simulate;

import dev.penstock.kit.World;

/**
 * How a target behaves for a while.
 *
 * @param servers how many it works on at full speed at once
 * @param workNanos the mean work of one transaction on one server
 * @param spread how the work of transactions differs
 * @param delayNanos a pure delay before the work, in which any number may be at once: the way there and back
 * @param shared whether what is inside shares the servers; otherwise it waits for one in turn
 * @param decline by which part of its speed the target is slowed by each one inside beyond its servers: contention
 * @param admission what it refuses at once
 * @param failing which share fails at once, whatever the load
 * @param silent whether it answers nothing
 * @param cliff how many may be inside before its whole speed halves
 * @param half how many inside it works at half of its speed with, where more always give more; 0 for a sharp knee
 */
record Behaviour(
        int servers,
        long workNanos,
        Spread spread,
        long delayNanos,
        boolean shared,
        double decline,
        Admission admission,
        double failing,
        boolean silent,
        int cliff,
        int half) {
    /** How the work of transactions differs. */
    enum Spread {
        /** All are the same. */
        FIXED,
        /** Exponential: many short, few long. */
        EXPONENTIAL,
        /** From half to one and a half of the mean. */
        UNIFORM,
        /** Nine of ten take a fifth of the mean, one takes 8.2 times the mean. */
        BIMODAL,
        /** Pareto with a shape of 1.5: its variance has no bound. */
        PARETO,
        /** Log-normal with a sigma of 1.5. */
        LOGNORMAL
    }

    /**
     * What a target refuses at once.
     *
     * @param cap how many it lets in at all
     * @param perSecond how many it takes in a second, by a token bucket; infinite for no bound
     * @param burst how many tokens the bucket holds
     * @param blunt whether it refuses without a word of its load, so that a refusal looks like any other failure
     */
    record Admission(int cap, double perSecond, int burst, boolean blunt) {
        private static final Admission ALL = new Admission(Integer.MAX_VALUE, Double.POSITIVE_INFINITY, 1, false);
    }

    static Behaviour servers(int servers, double workMillis) {
        return new Behaviour(
                servers, millis(workMillis), Spread.FIXED, 0, false, 0, Admission.ALL, 0, false, Integer.MAX_VALUE, 0);
    }

    Behaviour with(Spread other) {
        return new Behaviour(
                servers, workNanos, other, delayNanos, shared, decline, admission, failing, silent, cliff, half);
    }

    Behaviour delayed(double delayMillis) {
        return new Behaviour(
                servers,
                workNanos,
                spread,
                millis(delayMillis),
                shared,
                decline,
                admission,
                failing,
                silent,
                cliff,
                half);
    }

    Behaviour shared(double declining) {
        return new Behaviour(
                servers, workNanos, spread, delayNanos, true, declining, admission, failing, silent, cliff, half);
    }

    Behaviour capped(int most) {
        return admitting(new Admission(most, admission.perSecond, admission.burst, admission.blunt));
    }

    Behaviour limitedTo(double perSecond, int burst) {
        return admitting(new Admission(admission.cap, perSecond, burst, admission.blunt));
    }

    Behaviour refusingBluntly() {
        return admitting(new Admission(admission.cap, admission.perSecond, admission.burst, true));
    }

    private Behaviour admitting(Admission other) {
        return new Behaviour(
                servers, workNanos, spread, delayNanos, shared, decline, other, failing, silent, cliff, half);
    }

    Behaviour failing(double share) {
        return new Behaviour(
                servers, workNanos, spread, delayNanos, shared, decline, admission, share, silent, cliff, half);
    }

    Behaviour silenced() {
        return new Behaviour(
                servers, workNanos, spread, delayNanos, shared, decline, admission, failing, true, cliff, half);
    }

    /** Stops to work for a while, and loses nothing. */
    Behaviour paused() {
        return new Behaviour(
                0, workNanos, spread, delayNanos, shared, decline, admission, failing, silent, cliff, half);
    }

    Behaviour halvedBeyond(int most) {
        return new Behaviour(
                servers, workNanos, spread, delayNanos, true, decline, admission, failing, silent, most, half);
    }

    /** Without a knee: each one more inside gives a little more, as where waits and work share processors. */
    Behaviour softened(int halfAt) {
        return new Behaviour(
                servers, workNanos, spread, delayNanos, true, decline, admission, failing, silent, cliff, halfAt);
    }

    /** Transactions a second at the best. */
    double capacity() {
        return servers * 1e9 / workNanos;
    }

    /** How much of a transaction's work is done in a nanosecond by the whole target with so many inside. */
    double speed(int inside) {
        if (half > 0) {
            return servers * (double) inside / (inside + half);
        }
        int beyond = Math.max(0, inside - servers);
        return Math.min(inside, servers) / (1 + decline * beyond) / (inside > cliff ? 2 : 1);
    }

    /** The work of one transaction, from a number in [0, 1) that is its own. */
    long work(double own) {
        return Math.max(
                1,
                Math.round(workNanos
                        * switch (spread) {
                            case FIXED -> 1;
                            case EXPONENTIAL -> Math.min(20, -Math.log(1 - own));
                            case UNIFORM -> 0.5 + own;
                            case BIMODAL -> own < 0.9 ? 0.2 : 8.2;
                            case PARETO -> Math.min(200, Math.pow(1 - own, -2 / 3.0) / 3);
                            case LOGNORMAL -> Math.min(200, Math.exp(1.5 * normal(own) - 1.125));
                        }));
    }

    /** Another number in [0, 1) from one, so that what depends on it does not depend on the work. */
    static double scrambled(double own) {
        double many = own * 7919;
        return many - Math.floor(many);
    }

    /** A number of the normal distribution (Box and Muller, 1958). */
    private static double normal(double own) {
        return Math.sqrt(-2 * Math.log(1 - own)) * Math.cos(2 * Math.PI * scrambled(own));
    }

    private static long millis(double millis) {
        return Math.round(millis * World.MILLI);
    }
}
