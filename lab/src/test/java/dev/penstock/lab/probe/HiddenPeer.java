package dev.penstock.lab.probe;

import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleUnaryOperator;

/**
 * A peer with a truth that a search has to find, in virtual time: so many workers, and a service time that grows with the number in
 * service. Callers come back as soon as they are answered.
 *
 * @param workers how many calls are served at once
 * @param refusesBeyond more calls at once than these are refused at once
 * @param seconds draws the service time of a call alone
 * @param factor what so many in service make of it
 * @param fails draws whether a call fails for a reason of its own
 * @param lingers draws whether the place of the call before is not free yet
 */
record HiddenPeer(
        int workers,
        int refusesBeyond,
        DoubleSupplier seconds,
        DoubleUnaryOperator factor,
        BooleanSupplier fails,
        BooleanSupplier lingers) {
    private static final double REFUSING = 0.001;

    HiddenPeer(int workers, int refusesBeyond, DoubleSupplier seconds, DoubleUnaryOperator factor) {
        this(workers, refusesBeyond, seconds, factor, () -> false, () -> false);
    }

    HiddenPeer failing(double share, SplittableRandom random) {
        return new HiddenPeer(workers, refusesBeyond, seconds, factor, () -> random.nextDouble() < share, lingers);
    }

    HiddenPeer lingering(double share, SplittableRandom random) {
        return new HiddenPeer(workers, refusesBeyond, seconds, factor, fails, () -> random.nextDouble() < share);
    }

    static HiddenPeer capped(int workers, DoubleSupplier seconds) {
        return new HiddenPeer(workers, Integer.MAX_VALUE, seconds, n -> 1);
    }

    static HiddenPeer usl(double sigma, double kappa, DoubleSupplier seconds) {
        return new HiddenPeer(
                Integer.MAX_VALUE, Integer.MAX_VALUE, seconds, n -> 1 + sigma * (n - 1) + kappa * n * (n - 1));
    }

    /** Lognormal, which has the spread (standard deviation by mean) that is given, and that mean. */
    static DoubleSupplier spread(double mean, double spread, SplittableRandom random) {
        double sigma = Math.sqrt(Math.log(1 + spread * spread));
        return () -> mean * Math.exp(sigma * random.nextGaussian() - sigma * sigma / 2);
    }

    private record Event(double at, double began, boolean refused) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return Double.compare(at, other.at);
        }
    }

    /** Measures a level as a closed load does. */
    KneeObservation measure(KneeSearch.Level level) {
        PriorityQueue<Event> events = new PriorityQueue<>();
        java.util.ArrayDeque<Double> waiting = new java.util.ArrayDeque<>();
        int[] serving = {0};
        double end = level.whole();
        for (int i = 0; i < level.concurrency(); i++) {
            arrive(0, events, waiting, serving);
        }
        long calls = 0;
        long right = 0;
        double sum = 0;
        double squares = 0;
        while (!events.isEmpty() && events.peek().at < end) {
            Event event = events.poll();
            if (!event.refused) {
                serving[0]--;
                if (!waiting.isEmpty()) {
                    serve(event.at, waiting.poll(), events, serving);
                }
            }
            if (event.at >= level.warmUp()) {
                double took = event.at - event.began;
                calls++;
                right += event.refused || fails.getAsBoolean() ? 0 : 1;
                sum += took;
                squares += took * took;
            }
            arrive(event.at, events, waiting, serving);
        }
        double mean = sum / Math.max(1, calls);
        double share = calls == 0 ? 0 : (double) right / calls;
        double spread = Math.sqrt(Math.max(0, squares / Math.max(1, calls) - mean * mean)) / mean;
        return new KneeObservation(
                level.concurrency(),
                calls == 0 ? 0 : level.concurrency() * share / mean,
                mean,
                1 - share,
                calls,
                spread,
                0,
                false);
    }

    private void arrive(double now, PriorityQueue<Event> events, java.util.Queue<Double> waiting, int[] serving) {
        if (serving[0] + waiting.size() >= refusesBeyond - (lingers.getAsBoolean() ? 1 : 0)) {
            events.add(new Event(now + REFUSING, now, true));
        } else if (serving[0] < workers) {
            serve(now, now, events, serving);
        } else {
            waiting.add(now);
        }
    }

    private void serve(double now, double began, PriorityQueue<Event> events, int[] serving) {
        serving[0]++;
        events.add(new Event(now + seconds.getAsDouble() * factor.applyAsDouble(serving[0]), began, false));
    }
}
