package dev.penstock.limit.simulate;

import dev.penstock.kit.World;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/** Where the work of a target is done. */
interface Station {
    /** Takes one attempt in; it ends when its work is done. */
    void enter(Attempt attempt, long work);

    /** The target behaves differently from now on. */
    void behave(Behaviour next);

    /** Servers that take one attempt after the other, in order. What is begun ends as it would have, or when a pause ends. */
    final class InTurn implements Station {
        private record Waiting(Attempt attempt, long work) {}

        private final World world;
        private final Runnable left;
        private final Queue<Waiting> line = new ArrayDeque<>();
        private final Queue<Attempt> paused = new ArrayDeque<>();
        private int busy;
        private Behaviour behaviour;

        InTurn(World world, Behaviour behaviour, Runnable left) {
            this.world = world;
            this.behaviour = behaviour;
            this.left = left;
        }

        @Override
        public void enter(Attempt attempt, long work) {
            line.add(new Waiting(attempt, work));
            serve();
        }

        @Override
        public void behave(Behaviour next) {
            behaviour = next;
            while (behaviour.servers() > 0 && !paused.isEmpty()) {
                end(paused.remove());
            }
            serve();
        }

        private void serve() {
            while (busy < behaviour.servers() && !line.isEmpty()) {
                Waiting next = line.remove();
                busy++;
                world.in(next.work, () -> {
                    if (behaviour.servers() == 0) {
                        paused.add(next.attempt);
                    } else {
                        end(next.attempt);
                        serve();
                    }
                });
            }
        }

        private void end(Attempt attempt) {
            busy--;
            left.run();
            attempt.ended(Attempt.End.ANSWERED);
        }
    }

    /**
     * Servers that all attempts share alike (processor sharing). What each has got done so far is the same sum over time for
     * all, so an attempt is done when that sum has grown by its work: one number to keep, not one for each attempt.
     */
    final class Shared implements Station {
        private record Inside(Attempt attempt, double doneAt) {}

        private final World world;
        private final Runnable left;
        private final PriorityQueue<Inside> inside = new PriorityQueue<>(Comparator.comparingDouble(Inside::doneAt));
        private double done;
        private long doneAsOf;
        private long plan;
        private Behaviour behaviour;

        Shared(World world, Behaviour behaviour, Runnable left) {
            this.world = world;
            this.behaviour = behaviour;
            this.left = left;
            this.doneAsOf = world.now();
        }

        @Override
        public void enter(Attempt attempt, long work) {
            advance();
            inside.add(new Inside(attempt, done + work));
            planNext();
        }

        @Override
        public void behave(Behaviour next) {
            advance();
            behaviour = next;
            planNext();
        }

        private void advance() {
            if (!inside.isEmpty()) {
                done += (world.now() - doneAsOf) * each();
            }
            doneAsOf = world.now();
        }

        private double each() {
            return behaviour.speed(inside.size()) / inside.size();
        }

        private void planNext() {
            long mine = ++plan;
            if (!inside.isEmpty()) {
                double work = inside.element().doneAt - done;
                world.in(Math.max(0, (long) Math.ceil(work / each())), () -> {
                    if (mine == plan) {
                        finish();
                    }
                });
            }
        }

        private void finish() {
            advance();
            Attempt first = inside.remove().attempt;
            left.run();
            planNext();
            first.ended(Attempt.End.ANSWERED);
        }
    }
}
