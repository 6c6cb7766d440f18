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
 * Maintains the idle connections on a virtual thread: checks, keeps alive, tests, replaces and closes them as {@link
 * HousekeepingPlan} decides, everything that is due concurrently.
 */
final class HouseKeeper {
    /** The interval between rounds while there are idle connections, in nanoseconds. */
    static final long ROUND = 100_000_000L;

    /** Sockets are checked for a close every that many rounds. */
    private static final int ROUNDS_PER_PEEK = 5;

    /**
     * The number of other connections validated when a test found a dead one, to distinguish an idle timeout from a
     * slow answer.
     */
    private static final int WITNESSES = 2;

    private final PoolContext context;
    private final WarmTarget sizing;
    private final long maxAge;
    private final Ticker ticker;
    private final Part part;
    private volatile @Nullable Thread thread;
    private volatile boolean stopped;
    private volatile boolean woken;
    private int round;

    /** The number of connections to keep warm. */
    @FunctionalInterface
    interface WarmTarget {
        /** The number for now. Called once a round. */
        int warm(long now);
    }

    HouseKeeper(PoolContext context, WarmTarget sizing, long maxAge, Ticker ticker) {
        this.context = context;
        this.sizing = sizing;
        this.maxAge = maxAge;
        this.ticker = ticker;
        this.part = Supervisor.current().part("jdbc-house-keeper", context.toString());
    }

    void start() {
        context.onDeath(this::wake);
        thread = part.start(Thread.ofVirtual().name("penstock-jdbc-housekeeper"), this::run);
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
            context.leaks().check(ticker.nanos());
            boolean any = runRound(ticker.nanos());
            sleep(any ? ROUND : PoolSizing.WINDOW);
        }
    }

    private void sleep(long nanos) {
        long until = ticker.nanos() + nanos;
        while (!stopped && !woken && ticker.nanos() - until < 0) {
            ticker.parkUntil(until);
        }
        woken = false;
    }

    /** Does everything that is due; returns whether there are idle connections. */
    boolean runRound(long now) {
        int warm = sizing.warm(now);
        List<Idle<PooledConnection>> all = new ArrayList<>();
        int inUse = 0;
        for (PooledConnection slot : context.slots()) {
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
        boolean peeks = round++ % ROUNDS_PER_PEEK == 0;
        boolean opens = !context.isBackingOff();
        List<Task<PooledConnection>> due = plan(warm, inUse).tasks(all).stream()
                .filter(task -> peeks || task.care() != Care.PEEK)
                .filter(task -> opens || task.care() != Care.RENEW)
                .toList();
        runConcurrently(
                due.stream().map(task -> part.periodic(() -> care(task, all))).toList());
        return true;
    }

    private HousekeepingPlan plan(int warm, int inUse) {
        return context.learned()
                .withIdleTimeout(known -> new HousekeepingPlan(
                        warm, inUse, known.kills(), known.trusted(), known.keepAliveAt(), known.testAt(), maxAge));
    }

    private static void runConcurrently(List<Runnable> tasks) {
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
                case KEEP_ALIVE -> validate(slot);
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
        if (idle == null || !idle.isOpen() || context.isQuiet(slot.physical())) {
            return;
        }
        if (context.isAnswered(slot.physical(), idle.idle(), background())) {
            slot.answered();
        } else {
            slot.retire();
            context.foundClosedIdle(idle.idle());
        }
    }

    /** Whether the connection answered; one that did not is replaced. */
    private boolean validate(PooledConnection slot) {
        Idle<PooledConnection> idle = slot.idle(ticker.nanos());
        if (idle == null || !idle.isOpen()) {
            return true;
        }
        if (context.isAnswered(slot.physical(), idle.idle(), background())) {
            slot.answered();
            return true;
        }
        if (slot.replace(true, Long.MAX_VALUE)) {
            context.foundDeadIdle(idle.idle());
        }
        return false;
    }

    /**
     * An idle timeout has killed other connections too, a slow answer has not: others are validated before the first
     * death counts.
     */
    private void test(PooledConnection slot, List<Idle<PooledConnection>> all) {
        Idle<PooledConnection> idle = slot.idle(ticker.nanos());
        if (idle == null || !idle.isOpen()) {
            return;
        }
        if (context.isAnswered(slot.physical(), idle.idle(), background())) {
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
        runConcurrently(witnesses.stream()
                .map(other -> (Runnable) () -> {
                    boolean _ = other.whileIdle(() -> {
                        boolean _ = validate(other);
                    });
                })
                .toList());
        if (slot.replace(true, Long.MAX_VALUE)) {
            context.foundDeadIdle(idle.idle());
        }
    }

    private long background() {
        return context.learned().withValidationTimeout(ValidationTimeout::background);
    }
}
