package dev.penstock.limit.simulate;

import dev.penstock.kit.World;
import dev.penstock.limit.LimitController;
import dev.penstock.limit.PureLimit;

/** A limit with its line before a target, in virtual time. What is too late for its deadline is given up, as a client would. */
final class SimulatedFlow {
    private final World world;
    private final SimulatedTarget target;
    private final Tuner tuner;
    private final Log log;
    private final PureLimit limit;

    SimulatedFlow(World world, SimulatedTarget target, Tuner tuner, Log log) {
        this.world = world;
        this.target = target;
        this.tuner = tuner;
        this.log = log;
        this.limit = new PureLimit(tuner, call -> send((Attempt) call), call -> rejected((Attempt) call));
    }

    void offer(Attempt attempt) {
        switch (limit.offer(attempt)) {
            case SENT -> send(attempt);
            case WAITS -> world.at(limit.dueAt(attempt), () -> limit.expire(attempt, world.now()));
            case REJECTED -> rejected(attempt);
        }
    }

    private void rejected(Attempt attempt) {
        log.rejectedAfter(world.now() - attempt.arrivedAt, world.now());
    }

    private void send(Attempt attempt) {
        long pause = limit.pace(world.now());
        if (pause == 0) {
            sendNow(attempt);
        } else {
            world.in(pause, () -> sendNow(attempt));
        }
    }

    private void sendNow(Attempt attempt) {
        attempt.sentAt = world.now();
        log.sent(world.now());
        limit.begin(attempt, world.now());
        target.send(attempt);
        world.at(Math.max(world.now(), attempt.deadline), () -> {
            if (!attempt.over) {
                log.late(world.now());
                finish(attempt, LimitController.Outcome.DROPPED);
            }
        });
    }

    void ended(Attempt attempt, Attempt.End end) {
        if (attempt.over) {
            return;
        }
        if (end == Attempt.End.ANSWERED) {
            log.answered(world.now(), world.now() - attempt.arrivedAt);
        } else {
            log.refused(world.now());
        }
        finish(
                attempt,
                switch (end) {
                    case ANSWERED -> LimitController.Outcome.SUCCESS;
                    case REFUSED -> LimitController.Outcome.DROPPED;
                    case FAILED -> LimitController.Outcome.FAILED;
                });
    }

    private void finish(Attempt attempt, LimitController.Outcome outcome) {
        attempt.over = true;
        long took = world.now() - attempt.sentAt;
        log.held(world.now(), took);
        tuner.finished(world.now(), took, limit.out(), outcome);
        limit.finished(attempt, world.now(), tuner.heard(outcome));
    }
}
