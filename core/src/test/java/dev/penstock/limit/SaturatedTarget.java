package dev.penstock.limit;

import dev.penstock.kit.World;
import dev.penstock.limit.LimitController.Outcome;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;

/** A target in virtual time for which more requests wait than its limit allows, so that all permits are in use. */
final class SaturatedTarget {
    private final World world = new World();
    private final SplittableRandom random;
    private final LimitController limit;
    private final long origin;

    /** The mean time of a call, in nanoseconds, from the number in flight; times scatter by a quarter. */
    IntToDoubleFunction nanos;

    Outcome outcome = Outcome.SUCCESS;
    private int inFlight;
    private long nextUpdate;

    SaturatedTarget(LimitController limit, long origin, long seed, IntToDoubleFunction nanos) {
        this.limit = limit;
        this.origin = origin;
        this.random = new SplittableRandom(seed);
        this.nanos = nanos;
    }

    SaturatedTarget(LimitController limit, IntToDoubleFunction nanos) {
        this(limit, 0, 1, nanos);
    }

    long now() {
        return origin + world.now();
    }

    void runFor(long nanos) {
        fill();
        long end = world.now() + nanos;
        while (world.now() < end) {
            world.runUntil(Math.min(end, world.now() + World.MILLI));
            block();
            update();
            fill();
        }
    }

    private void block() {
        Turn turn = limit.turn(now());
        if (turn != null) {
            turn.block();
        }
    }

    private void update() {
        if (world.now() >= nextUpdate) {
            nextUpdate = world.now() + World.MILLI;
            limit.update(now(), inFlight);
        }
    }

    private void fill() {
        while (inFlight < limit.permits()) {
            block();
            inFlight++;
            begin(Math.max(1, (long) (nanos.applyAsDouble(inFlight) * (0.75 + random.nextDouble() / 2))));
        }
    }

    private void begin(long took) {
        long start = now();
        Turn turn = limit.turn(start);
        if (turn != null) {
            turn.start(start);
        }
        world.in(took, () -> {
            inFlight--;
            if (turn != null) {
                turn.end(start, now(), outcome);
            }
            update();
            fill();
        });
    }

    /** A call begins that never ends. */
    void hang() {
        Turn turn = limit.turn(now());
        if (turn != null) {
            turn.start(now());
        }
        inFlight++;
    }
}
