package dev.penstock.limit.simulate;

import dev.penstock.limit.Permit;
import java.util.ArrayDeque;

/** A line and permits before a target, in virtual time. What is too late for its deadline is given up, as a client would. */
final class SimulatedFlow {
    private final World world;
    private final SimulatedTarget target;
    private final Tuner tuner;
    private final Log log;
    private final ArrayDeque<Attempt> line = new ArrayDeque<>();
    private int inFlight;
    private double typicalNanos;
    private long emptySince;

    SimulatedFlow(World world, SimulatedTarget target, Tuner tuner, Log log) {
        this.world = world;
        this.target = target;
        this.tuner = tuner;
        this.log = log;
    }

    void offer(Attempt attempt) {
        log.offered(world.now());
        if (line.isEmpty() && inFlight < tuner.permits()) {
            send(attempt);
            return;
        }
        tuner.refused();
        double wait = (line.size() + 1) * typicalNanos / tuner.permits();
        if (line.isEmpty()) {
            emptySince = world.now();
        }
        boolean standing = world.now() - emptySince > Math.max(1e9, 2 * typicalNanos);
        double most = standing ? Math.max(typicalNanos / 2, 50e6) : Double.MAX_VALUE;
        if (wait + 1.2 * typicalNanos < attempt.deadline - world.now() && wait <= most) {
            line.add(attempt);
        } else {
            log.rejected(world.now());
        }
        serve();
    }

    private void send(Attempt attempt) {
        attempt.sentAt = world.now();
        inFlight++;
        target.send(attempt);
        world.at(attempt.deadline, () -> {
            if (!attempt.over) {
                finish(attempt, Permit.Outcome.DROPPED);
                log.late(world.now());
            }
        });
    }

    void ended(Attempt attempt, Attempt.End end) {
        if (attempt.over) {
            return;
        }
        switch (end) {
            case ANSWERED -> {
                log.answered(world.now(), world.now() - attempt.arrivedAt);
                double took = world.now() - attempt.sentAt;
                typicalNanos += (took - typicalNanos) / 20;
                finish(attempt, Permit.Outcome.SUCCESS);
            }
            case REFUSED -> {
                log.late(world.now());
                finish(attempt, Permit.Outcome.DROPPED);
            }
            case FAILED -> {
                log.late(world.now());
                finish(attempt, Permit.Outcome.IGNORED);
            }
        }
    }

    private void finish(Attempt attempt, Permit.Outcome outcome) {
        attempt.over = true;
        tuner.finished(world.now(), world.now() - attempt.sentAt, inFlight, outcome);
        inFlight--;
        serve();
    }

    private void serve() {
        while (!line.isEmpty() && inFlight < tuner.permits()) {
            Attempt next = line.remove();
            if (next.deadline - world.now() > typicalNanos) {
                send(next);
            } else {
                log.rejected(world.now());
            }
        }
    }
}
