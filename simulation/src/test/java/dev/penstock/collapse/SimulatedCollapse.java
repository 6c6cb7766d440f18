package dev.penstock.collapse;

import dev.penstock.BatchCounts.SendReason;
import dev.penstock.kit.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Requests, the batches that a policy makes of them, and a target, in virtual time: what a batcher does with threads, done with events. */
final class SimulatedCollapse {
    private static final int HICCUPS = 20_000;

    /** A request under way. */
    private record Request(long at, Runnable then) {}

    /** Requests that travel together; others join until it has its permit. */
    private static final class Batch {
        private final List<Request> requests = new ArrayList<>();
        private final int most;
        private int atCount = Integer.MAX_VALUE;
        private BatchPolicy.@Nullable Out out;
        private long last;
        private long leftAt;

        private Batch(int most) {
            this.most = most;
        }
    }

    private final World world;
    private final RandomGenerator random;
    private final BatchPolicy policy;
    private final SimulatedTarget target;
    private final int permits;
    private final long startNanos;
    private final long from;
    private final Queue<Batch> waiting = new ArrayDeque<>();
    private @Nullable Batch open;
    private int held;
    private final List<Long> times = new ArrayList<>();
    private final Map<SendReason, Integer> left = new EnumMap<>(SendReason.class);
    private int calls;

    /**
     * A collapse that has seen nothing.
     *
     * @param permits how many batches are at the target at once; 0 for any number
     * @param startNanos how long it takes until the thread of a batch has started
     * @param from when to begin to count
     */
    SimulatedCollapse(
            World world,
            RandomGenerator random,
            BatchPolicy policy,
            SimulatedTarget target,
            int permits,
            long startNanos,
            long from) {
        this.world = world;
        this.random = random;
        this.policy = policy;
        this.target = target;
        this.permits = permits;
        this.startNanos = startNanos;
        this.from = from;
    }

    /** A request comes; what is to happen once it is answered. */
    void ask(Runnable then) {
        Request request = new Request(world.now(), then);
        Batch there = open;
        if (there == null || there.requests.size() >= there.most) {
            open(request);
            return;
        }
        there.requests.add(request);
        there.last = world.now();
        if (there.out == null && (there.requests.size() >= there.atCount || there.requests.size() >= there.most)) {
            decide(there);
        }
    }

    private void open(Request first) {
        Batch batch = new Batch(policy.most());
        batch.requests.add(first);
        batch.last = world.now();
        open = batch;
        policy.opened(world.now());
        if (startNanos == 0) {
            decide(batch);
            return;
        }
        world.in(startNanos, () -> {
            if (batch.out == null) {
                decide(batch);
            }
        });
    }

    private void decide(Batch batch) {
        int count = batch.requests.size();
        switch (policy.decide(world.now(), count, batch.last, count >= batch.most)) {
            case WindowDecision.Closed closed -> leave(batch, closed.why());
            case WindowDecision.Open until -> {
                batch.atCount = until.atCount();
                world.at(until.until(), () -> {
                    if (batch.out == null) {
                        decide(batch);
                    }
                });
            }
        }
    }

    private void leave(Batch batch, SendReason why) {
        batch.out = policy.left(world.now(), batch.requests.size(), batch.last);
        if (world.now() >= from) {
            calls++;
            left.merge(why, 1, Integer::sum);
        }
        if (permits > 0 && held == permits) {
            waiting.add(batch);
        } else {
            send(batch, batch.out);
        }
    }

    private void send(Batch batch, BatchPolicy.Out out) {
        held++;
        if (open == batch) {
            open = null;
        }
        int items = batch.requests.size();
        out.sent(world.now(), items);
        target.call(items, () -> {
            Batch now = open != null && open.out == null ? open : null;
            out.returned(world.now(), now == null ? 0 : now.requests.size(), now == null ? 0 : now.last);
            held--;
            wakeAll(batch.requests);
            Batch next = waiting.poll();
            if (next != null && next.out != null) {
                send(next, next.out);
            }
            if (now != null) {
                decide(now);
            }
        });
    }

    /** Callers wake one after the other, some microseconds apart, and once in a while one is held up. */
    private void wakeAll(List<Request> batch) {
        long delay = 0;
        for (Request each : batch) {
            delay += 1_000 + random.nextInt(4_000);
            delay += random.nextInt(HICCUPS) == 0 ? random.nextInt(3_000_000) : 0;
            world.in(delay, () -> {
                if (world.now() >= from) {
                    times.add(world.now() - each.at());
                }
                each.then().run();
            });
        }
    }

    /** What was counted until now. */
    Outcome outcome() {
        return Outcome.of(
                times, calls, left, world.now() - from, target.service().meanNanos(1));
    }

    /** What a run came to; times in milliseconds. */
    record Outcome(
            double tps, double mean, double p99, double added, double callsPerSecond, Map<SendReason, Integer> left) {
        private static Outcome of(
                List<Long> times, int calls, Map<SendReason, Integer> left, long nanos, long callNanos) {
            long[] sorted = times.stream().mapToLong(Long::longValue).sorted().toArray();
            double mean = times.stream().mapToLong(Long::longValue).average().orElse(0) / 1e6;
            double seconds = nanos / 1e9;
            return new Outcome(
                    sorted.length / seconds,
                    mean,
                    sorted.length == 0 ? 0 : sorted[(int) (0.99 * (sorted.length - 1))] / 1e6,
                    mean - callNanos / 1e6,
                    calls / seconds,
                    left);
        }

        /** What the best policy would add for requests that come at random, at as many calls a second. */
        double curve(double rate) {
            return Math.max(0, 1e3 / callsPerSecond - 1e3 / rate) / 2;
        }
    }
}
