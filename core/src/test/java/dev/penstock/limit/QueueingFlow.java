package dev.penstock.limit;

import dev.penstock.Rejected;
import dev.penstock.kit.World;
import dev.penstock.limit.QueueEntry.State;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The queue and the measuring of a limit, with requests that wait in virtual time instead of on threads. */
final class QueueingFlow {
    /** What becomes of a request. */
    interface Caller {
        void answered();

        void rejected(Rejected why);

        /** One who does not mind being rejected. */
        static Caller of(Runnable answered) {
            return new Caller() {
                @Override
                public void answered() {
                    answered.run();
                }

                @Override
                public void rejected(Rejected why) {}
            };
        }
    }

    private record Pending(QueueEntry waiter, Caller caller) {}

    private final World world;
    private final Consumer<Runnable> target;
    private final WaitQueue queue;
    private final LimitUpdater limitUpdater;
    private final Set<Pending> pending = new LinkedHashSet<>();
    private final Runnable changed;

    /**
     * A flow without requests.
     *
     * @param target takes a call: what to run when it is answered
     * @param changed run whenever somebody may have been served, in whatever flow
     */
    QueueingFlow(World world, SharedLimit limit, Consumer<Runnable> target, SplittableRandom random, Runnable changed) {
        this.world = world;
        this.target = target;
        this.changed = changed;
        this.queue = new WaitQueue(
                limit.permits, QueuePolicy.of(QueueSettings.automatic()), world.ticker(), random::nextLong);
        this.limitUpdater = new LimitUpdater(limit, queue, world.now());
        limit.addFlow(world.now());
    }

    /** One request of the only caller. */
    void call(Caller caller) {
        call(UrgencyQueue.ONE_CALLER, caller);
    }

    /** One request of somebody. */
    void call(Object who, Caller caller) {
        if (queue.tryAcquire()) {
            begin(caller);
            return;
        }
        limitUpdater.blocked(world.now());
        Rejected why = enqueue(who, caller);
        if (why != null) {
            caller.rejected(why);
        }
    }

    private @Nullable Rejected enqueue(Object who, Caller caller) {
        long now = world.now();
        QueueEntry waiter = new QueueEntry(queue, now, QueuePolicy.NO_DEADLINE, 3, who);
        try {
            queue.enqueue(waiter);
        } catch (Rejected refused) {
            return refused;
        }
        pending.add(new Pending(waiter, caller));
        giveUpWhenDue(waiter, caller);
        changed.run();
        return null;
    }

    private void giveUpWhenDue(QueueEntry waiter, Caller caller) {
        world.at(waiter.dueAt(queue.policy()), () -> {
            if (waiter.state() != State.QUEUED) {
                return;
            }
            if (world.now() < waiter.dueAt(queue.policy())) {
                giveUpWhenDue(waiter, caller);
                return;
            }
            Rejected why = queue.timedOut(waiter.allowed);
            waiter.close();
            settle();
            caller.rejected(why);
        });
    }

    /** Lets those call who were served, and tells those who were put out. */
    void settle() {
        List<Pending> settled = pending.stream()
                .filter(one -> one.waiter().state() != State.QUEUED)
                .toList();
        pending.removeAll(settled);
        for (Pending next : settled) {
            Rejected rejection = next.waiter().rejection();
            if (next.waiter().transition(State.GRANTED, State.USED)) {
                begin(next.caller());
            } else if (rejection != null) {
                next.caller().rejected(rejection);
            }
        }
    }

    private void begin(Caller caller) {
        long start = world.now();
        Turn turn = limitUpdater.begin(start);
        target.accept(() -> {
            long now = world.now();
            queue.release(now);
            limitUpdater.finished(turn, start, now, LimitController.Outcome.SUCCESS);
            changed.run();
            caller.answered();
        });
    }

    int inFlight() {
        return queue.out();
    }
}
