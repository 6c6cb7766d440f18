package dev.penstock.limit.simulate;

import dev.penstock.kit.World;

/** A target in virtual time: its cap and its faults before a {@link Station} that does its work. */
final class SimulatedTarget {
    /** How long it takes to say no. */
    private static final long NO = World.MILLI;

    private final World world;
    private final Station station;
    private Behaviour behaviour;
    private int inside;
    /** When the token bucket would be full again. */
    private double fullAt;

    SimulatedTarget(World world, Behaviour behaviour) {
        this.world = world;
        this.behaviour = behaviour;
        Runnable left = () -> inside--;
        this.station = behaviour.shared()
                ? new Station.Shared(world, behaviour, left)
                : new Station.InTurn(world, behaviour, left);
    }

    void behave(Behaviour next) {
        behaviour = next;
        station.behave(next);
    }

    void send(Attempt attempt) {
        if (behaviour.silent()) {
            return;
        }
        if (behaviour.failing() > 0 && Behaviour.scrambled(attempt.own) < behaviour.failing()) {
            world.in(NO, () -> attempt.ended(Attempt.End.FAILED));
        } else if (!admits(behaviour.admission())) {
            boolean blunt = behaviour.admission().blunt();
            world.in(NO, () -> attempt.ended(blunt ? Attempt.End.FAILED : Attempt.End.REFUSED));
        } else {
            inside++;
            long work = behaviour.work(attempt.own);
            if (behaviour.delayNanos() == 0) {
                station.enter(attempt, work);
            } else {
                world.in(behaviour.delayNanos(), () -> station.enter(attempt, work));
            }
        }
    }

    /** Takes a token if one is left. */
    private boolean admits(Behaviour.Admission admission) {
        if (inside >= admission.cap()) {
            return false;
        }
        double interval = World.SECOND / admission.perSecond();
        double full = Math.max(fullAt, world.now());
        if (full - world.now() > (admission.burst() - 1) * interval) {
            return false;
        }
        fullAt = full + interval;
        return true;
    }
}
