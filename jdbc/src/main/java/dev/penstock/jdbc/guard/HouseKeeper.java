package dev.penstock.jdbc.guard;

import dev.penstock.Ticker;
import dev.penstock.jdbc.guard.HousekeepingPlan.Care;
import dev.penstock.jdbc.guard.HousekeepingPlan.Idle;
import dev.penstock.jdbc.guard.HousekeepingPlan.Task;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Takes care of the connections that nobody uses, on a virtual thread of its own: looks, keeps alive, tests, replaces and
 * retires as {@link HousekeepingPlan} says, all that is due side by side.
 */
final class HouseKeeper {
    /** How often it goes round while there are idle connections, nanoseconds. */
    static final long ROUND = 100_000_000L;

    /** How often it looks whether the other end has closed any: each so many rounds. */
    private static final int PEEK_EACH = 5;

    /** How many others it asks when a test found a connection dead, to tell a killer from a slow answer. */
    private static final int WITNESSES = 2;

    private final PoolContext guard;
    private final Shape shape;
    private final long maxAge;
    private final Ticker ticker;
    private final Part part;
    private volatile @Nullable Thread thread;
    private volatile boolean stopped;
    private volatile boolean woken;
    private int round;

    /** What it tells the pool, once a window. */
    @FunctionalInterface
    interface Shape {
        /** How many connections are to be warm now. */
        int warm(long now);
    }

    HouseKeeper(PoolContext guard, Shape shape, long maxAge, Ticker ticker) {
        this.guard = guard;
        this.shape = shape;
        this.maxAge = maxAge;
        this.ticker = ticker;
        this.part = Supervisor.current().part("jdbc-house-keeper", guard.toString());
    }

    void start() {
        guard.onDeath(this::wake);
        thread = part.start(Thread.ofVirtual().name("penstock-jdbc-caretaker"), this::run);
    }

    void stop() {
        stopped = true;
        part.close();
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    private void wake() {
        woken = true;
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!stopped) {
            guard.leaks().look(ticker.nanos());
            boolean any = goRound(ticker.nanos());
            rest(any ? ROUND : PoolSizing.WINDOW);
        }
    }

    private void rest(long nanos) {
        long until = ticker.nanos() + nanos;
        while (!stopped && !woken && ticker.nanos() - until < 0) {
            ticker.parkUntil(until);
        }
        woken = false;
    }

    /** Does what is due; whether there is any idle connection. */
    boolean goRound(long now) {
        int warm = shape.warm(now);
        List<Idle<PooledConnection>> all = new ArrayList<>();
        int inUse = 0;
        for (PooledConnection slot : guard.slots()) {
            Idle<PooledConnection> idle = slot.idle(now);
            if (idle != null) {
                all.add(idle);
            } else if (slot.isLent()) {
                inUse++;
            }
        }
        if (all.isEmpty()) {
            return false;
        }
        boolean peeks = round++ % PEEK_EACH == 0;
        boolean opens = !guard.restsFromFailures();
        List<Task<PooledConnection>> due = plan(warm, inUse).tasks(all).stream()
                .filter(task -> peeks || task.care() != Care.PEEK)
                .filter(task -> opens || task.care() != Care.RENEW)
                .toList();
        sideBySide(
                due.stream().map(task -> part.periodic(() -> care(task, all))).toList());
        return true;
    }

    private HousekeepingPlan plan(int warm, int inUse) {
        return guard.learned()
                .withAge(known -> new HousekeepingPlan(
                        warm, inUse, known.kills(), known.trusted(), known.keepAliveAt(), known.frontier(), maxAge));
    }

    private static void sideBySide(List<Runnable> tasks) {
        if (tasks.size() == 1) {
            tasks.getFirst().run();
            return;
        }
        List<Thread> threads =
                tasks.stream().map(task -> Thread.ofVirtual().start(task)).toList();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void care(Task<PooledConnection> task, List<Idle<PooledConnection>> all) {
        PooledConnection slot = task.slot();
        boolean _ = slot.whileIdle(() -> {
            switch (task.care()) {
                case PEEK -> socketProbe(slot);
                case KEEP_ALIVE -> ask(slot);
                case TEST -> test(slot, all);
                case RENEW -> {
                    boolean _ = slot.replace(false, Long.MAX_VALUE);
                }
                case RETIRE -> slot.retire();
            }
        });
    }

    private void socketProbe(PooledConnection slot) {
        Idle<PooledConnection> idle = slot.idle(ticker.nanos());
        if (idle == null || !idle.isOpen() || guard.isQuiet(slot.physical())) {
            return;
        }
        if (guard.isAnswered(slot.physical(), idle.idle(), unhurried())) {
            slot.answered();
        } else {
            slot.retire();
            guard.closedAloud(idle.idle());
        }
    }

    /** Whether it answered; one that did not is replaced. */
    private boolean ask(PooledConnection slot) {
        Idle<PooledConnection> idle = slot.idle(ticker.nanos());
        if (idle == null || !idle.isOpen()) {
            return true;
        }
        if (guard.isAnswered(slot.physical(), idle.idle(), unhurried())) {
            slot.answered();
            return true;
        }
        if (slot.replace(true, Long.MAX_VALUE)) {
            guard.foundDeadIdle(idle.idle());
        }
        return false;
    }

    /** A killer has killed others too; a slow answer has not: so others are asked before a first death is believed. */
    private void test(PooledConnection slot, List<Idle<PooledConnection>> all) {
        Idle<PooledConnection> idle = slot.idle(ticker.nanos());
        if (idle == null || !idle.isOpen()) {
            return;
        }
        if (guard.isAnswered(slot.physical(), idle.idle(), unhurried())) {
            slot.answered();
            return;
        }
        List<PooledConnection> witnesses = all.stream()
                .filter(other -> other.isOpen() && other.slot() != slot)
                .sorted(Comparator.comparingLong((Idle<PooledConnection> other) -> other.idle())
                        .reversed())
                .limit(WITNESSES)
                .map(Idle::slot)
                .toList();
        sideBySide(witnesses.stream()
                .map(other -> (Runnable) () -> {
                    boolean _ = other.whileIdle(() -> {
                        boolean _ = ask(other);
                    });
                })
                .toList());
        if (slot.replace(true, Long.MAX_VALUE)) {
            guard.foundDeadIdle(idle.idle());
        }
    }

    private long unhurried() {
        return guard.learned().withBound(ValidationTimeout::unhurried);
    }
}
