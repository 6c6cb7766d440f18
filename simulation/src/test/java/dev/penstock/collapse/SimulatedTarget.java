package dev.penstock.collapse;

import dev.penstock.kit.World;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.random.RandomGenerator;

/** A target in virtual time: a call takes a base time and a time for each of its items, and may have to wait for a slot. */
final class SimulatedTarget {
    private static final long OVERHEAD_NANOS = 50_000;

    /**
     * How long calls take, without the wait for a slot.
     *
     * @param baseMillis of every call
     * @param itemMillis of each item
     * @param spreadMillis from the shortest to the longest call of the same size, all as likely
     * @param exponential whether the times of calls of one size are exponentially distributed
     * @param slots how many calls it serves at once, first come first served; 0 for any number
     */
    record Service(double baseMillis, double itemMillis, double spreadMillis, boolean exponential, int slots) {
        static Service ofMillis(double baseMillis, double spreadMillis) {
            return new Service(baseMillis, 0, spreadMillis, false, 0);
        }

        /** In one line for people. */
        String words() {
            return "%.0f ms + %.0f ms an item%s"
                    .formatted(baseMillis, itemMillis, slots == 0 ? "" : ", " + slots + " slots");
        }

        /** In the mean. */
        long meanNanos(int items) {
            return (long) ((baseMillis + itemMillis * items) * 1e6) + OVERHEAD_NANOS;
        }

        private long draw(int items, RandomGenerator random) {
            double mean = (baseMillis + itemMillis * items) * 1e6;
            if (exponential) {
                return (long) (-Math.log(1 - random.nextDouble()) * mean) + OVERHEAD_NANOS;
            }
            return (long) mean + (long) ((random.nextDouble() - 0.5) * spreadMillis * 1e6) + OVERHEAD_NANOS;
        }
    }

    private record Call(int items, Runnable then) {}

    private final World world;
    private final RandomGenerator random;
    private final Service service;
    private final Queue<Call> waiting = new ArrayDeque<>();
    private int serving;

    SimulatedTarget(World world, RandomGenerator random, Service service) {
        this.world = world;
        this.random = random;
        this.service = service;
    }

    Service service() {
        return service;
    }

    /** Serves a call; what is to happen when it is back. */
    void call(int items, Runnable then) {
        Call call = new Call(items, then);
        if (service.slots() > 0 && serving == service.slots()) {
            waiting.add(call);
        } else {
            serve(call);
        }
    }

    private void serve(Call call) {
        serving++;
        world.in(service.draw(call.items(), random), () -> {
            serving--;
            Call next = waiting.poll();
            if (next != null) {
                serve(next);
            }
            call.then().run();
        });
    }
}
