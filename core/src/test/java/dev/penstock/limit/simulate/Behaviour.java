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
 * @param cap how many it lets in at all; more are refused at once
 * @param failing which share fails at once, whatever the load
 * @param silent whether it answers nothing
 * @param cliff how many may be inside before its whole speed halves
 * @param blunt whether it refuses without a word of its load, so that a refusal looks like any other failure
 */
record Behaviour(
        int servers,
        long workNanos,
        Spread spread,
        long delayNanos,
        boolean shared,
        double decline,
        int cap,
        double failing,
        boolean silent,
        int cliff,
        boolean blunt) {
    /** How the work of transactions differs. */
    enum Spread {
        /** All are the same. */
        FIXED,
        /** Exponential: many short, few long. */
        EXPONENTIAL,
        /** From half to one and a half of the mean. */
        UNIFORM
    }

    static Behaviour servers(int servers, double workMillis) {
        return new Behaviour(
                servers,
                millis(workMillis),
                Spread.FIXED,
                0,
                false,
                0,
                Integer.MAX_VALUE,
                0,
                false,
                Integer.MAX_VALUE,
                false);
    }

    Behaviour with(Spread other) {
        return new Behaviour(
                servers, workNanos, other, delayNanos, shared, decline, cap, failing, silent, cliff, blunt);
    }

    Behaviour delayed(double delayMillis) {
        return new Behaviour(
                servers, workNanos, spread, millis(delayMillis), shared, decline, cap, failing, silent, cliff, blunt);
    }

    Behaviour shared(double declining) {
        return new Behaviour(
                servers, workNanos, spread, delayNanos, true, declining, cap, failing, silent, cliff, blunt);
    }

    Behaviour capped(int most) {
        return new Behaviour(
                servers, workNanos, spread, delayNanos, shared, decline, most, failing, silent, cliff, blunt);
    }

    Behaviour failing(double share) {
        return new Behaviour(servers, workNanos, spread, delayNanos, shared, decline, cap, share, silent, cliff, blunt);
    }

    Behaviour silenced() {
        return new Behaviour(servers, workNanos, spread, delayNanos, shared, decline, cap, failing, true, cliff, blunt);
    }

    Behaviour halvedBeyond(int most) {
        return new Behaviour(servers, workNanos, spread, delayNanos, true, decline, cap, failing, silent, most, blunt);
    }

    Behaviour refusingBluntly() {
        return new Behaviour(
                servers, workNanos, spread, delayNanos, shared, decline, cap, failing, silent, cliff, true);
    }

    /** Transactions a second at the best. */
    double capacity() {
        return servers * 1e9 / workNanos;
    }

    /** How much of a transaction's work is done in a nanosecond by the whole target with so many inside. */
    double speed(int inside) {
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
                        }));
    }

    private static long millis(double millis) {
        return Math.round(millis * World.MILLI);
    }
}
