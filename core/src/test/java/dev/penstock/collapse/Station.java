package dev.penstock.collapse;

import dev.penstock.kit.World;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A simulated target with the window controller in front of it, in virtual time: what a batcher does with threads, done
 * with events.
 */
final class Station {
    private static final long OVERHEAD = 50_000;
    private static final int HICCUPS = 20_000;

    /** A request under way. */
    private record Asked(long at, Runnable then) {}

    private final World world;
    private final RandomGenerator random;
    private final long callNanos;
    private final long spreadNanos;
    private final CallTime callTime = new CallTime();
    private final WindowController window;
    private final int max;
    private final long from;
    private List<Asked> open = new ArrayList<>();
    private long lastCame;
    private int atCount;
    private int planned;
    private final List<Long> times = new ArrayList<>();
    private final Map<Left, Integer> left = new EnumMap<>(Left.class);
    private int calls;

    /**
     * A station.
     *
     * @param budget which part of the time of a call may be waited
     * @param spreadNanos calls take evenly half of this more or less
     * @param from when to begin to count
     */
    Station(World world, RandomGenerator random, double budget, int max, long callNanos, long spreadNanos, long from) {
        this.world = world;
        this.random = random;
        this.window = new WindowController(budget, null, callTime);
        this.max = max;
        this.callNanos = callNanos;
        this.spreadNanos = spreadNanos;
        this.from = from;
    }

    /** A request comes; what is to happen once it is answered. */
    void ask(Runnable then) {
        open.add(new Asked(world.now(), then));
        lastCame = world.now();
        if (open.size() == 1) {
            window.opened(world.now());
            look();
        } else if (open.size() >= atCount || open.size() == max) {
            look();
        }
    }

    private void look() {
        switch (window.look(world.now(), open.size(), lastCame, open.size() >= max, Long.MAX_VALUE)) {
            case Window.Closed closed -> leave(closed.why());
            case Window.Open until -> {
                atCount = until.atCount();
                int plan = ++planned;
                world.at(until.until(), () -> {
                    if (plan == planned && !open.isEmpty()) {
                        look();
                    }
                });
            }
        }
    }

    private void leave(Left why) {
        Merging.Call call = window.left(world.now(), open.size(), lastCame);
        List<Asked> batch = open;
        open = new ArrayList<>();
        planned++;
        if (world.now() >= from) {
            calls++;
            left.merge(why, 1, Integer::sum);
        }
        long sentAt = world.now();
        long took = callNanos + (long) ((random.nextDouble() - 0.5) * spreadNanos) + OVERHEAD;
        world.in(took, () -> {
            callTime.sample(world.now() - sentAt);
            window.returned(world.now(), call, open.size(), lastCame);
            wakeAll(batch);
            if (!open.isEmpty()) {
                look();
            }
        });
    }

    /** Callers wake one after the other, some microseconds apart, and once in a while one is held up. */
    private void wakeAll(List<Asked> batch) {
        long delay = 0;
        for (Asked each : batch) {
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
        return Outcome.of(times, calls, left, world.now() - from, callNanos + OVERHEAD);
    }

    /** What a run came to; times in milliseconds. */
    record Outcome(double tps, double mean, double p99, double added, double callsPerSecond, Map<Left, Integer> left) {
        private static Outcome of(List<Long> times, int calls, Map<Left, Integer> left, long nanos, long callNanos) {
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
