package dev.penstock.races.udpburst;

import dev.penstock.lab.race.BlockResult;
import dev.penstock.lab.race.Effort;
import dev.penstock.races.GoalRule;
import dev.penstock.races.LoadTimes;
import dev.penstock.races.udpburst.BurstSender.BurstOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Bursts, each followed by a pause. A block of n bursts lasts n times the interval between their starts. */
final class BurstCourse extends DatagramCourse {
    private static final int SIZE = 10_000;

    private final Duration interval;
    private final long buffer;
    private final String describe;

    /** Without a fixed buffer for all when {@code buffer} is {@link UdpBurstContestants#OWN_CHOICE}. */
    private BurstCourse(
            String name,
            List<String> contestants,
            long buffer,
            Duration interval,
            String describe,
            String judged,
            String shown) {
        super(name, contestants, judged, shown);
        this.interval = interval;
        this.buffer = buffer;
        this.describe = describe;
    }

    private static LoadTimes lasting(Duration interval, int bursts) {
        return new LoadTimes(Duration.ZERO, interval.multipliedBy(bursts));
    }

    /** The case that a receive buffer is for. Sending a burst takes about 50 ms. */
    static BurstCourse withPauses() {
        Duration interval = Duration.ofMillis(1_050);
        BurstCourse course = new BurstCourse(
                "bursts",
                UdpBurstContestants.ALL.names(),
                UdpBurstContestants.OWN_CHOICE,
                interval,
                ", each followed by a pause of 1 s",
                "lost max_ms",
                "lost lost_percent drops wrong max_ms cpu_us_per_tx heap_peak_mb bytes_per_call buffer_mb");
        course.lasts(lasting(interval, 10), lasting(interval, 3), Duration.ofSeconds(4));
        course.goals(GoalRule.none("lost", "wrong"))
                .goalsOf(UdpBurstContestants.PLAIN_DEFAULT, GoalRule.least("lost_percent", 50));
        return course;
    }

    /** Provokes loss, and checks whether every unanswered datagram is counted, and where. */
    static BurstCourse intoASmallBuffer() {
        Duration interval = Duration.ofSeconds(1);
        BurstCourse course = new BurstCourse(
                "small-buffer",
                List.of(UdpBurstContestants.CHANNEL, UdpBurstContestants.INLINE, UdpBurstContestants.FLOW),
                65_536,
                interval,
                ", with a receive buffer for 28 of them; each unanswered datagram must be counted: by the server, or, if it"
                        + " has no counter, by the kernel",
                "uncounted",
                "uncounted count lost drops at_socket in_ring in_handler sending wrong");
        course.lasts(lasting(interval, 5), lasting(interval, 2), Duration.ofSeconds(6));
        course.goals(GoalRule.none("uncounted", "wrong"), GoalRule.least("lost", 1))
                .rounds(3);
        return course;
    }

    private int bursts(Effort effort) {
        return (int) times(effort).lasting().dividedBy(interval);
    }

    @Override
    String load(Effort effort) {
        return bursts(effort) + " bursts of 10,000 at the sender's full speed" + describe;
    }

    /** The small buffer; otherwise Penstock runs with its default buffer, as it does when nothing is configured. */
    @Override
    long buffer(String contestant) {
        return buffer == UdpBurstContestants.OWN_CHOICE ? usualBuffer(contestant) : buffer;
    }

    /** Only loss is measured in the small buffer. */
    @Override
    public boolean measuresNoise() {
        return buffer == UdpBurstContestants.OWN_CHOICE;
    }

    @Override
    BlockResult run(ServerAndSender pair, Effort effort) throws IOException, InterruptedException {
        pair.begin();
        BurstOutcome outcome = pair.sender().bursts(SIZE, bursts(effort), interval);
        Map<String, Double> metrics = accounted(pair, outcome);
        metrics.keySet().removeAll(List.of("tps", "pps")); // they would include the pauses
        return result(metrics, outcome);
    }

    /** The metrics with the number of unanswered datagrams, and the counters that account for them. */
    static Map<String, Double> accounted(ServerAndSender pair, BurstOutcome outcome)
            throws IOException, InterruptedException {
        Map<String, Double> metrics = pair.metrics(outcome);
        Map<String, Long> places = pair.droppedByPlace();
        metrics.put("at_socket", (double) places.getOrDefault("socket", 0L));
        metrics.put("in_ring", (double) places.getOrDefault("ring", 0L));
        metrics.put("in_handler", (double) places.getOrDefault("handler", 0L));
        metrics.put("sending", (double) places.getOrDefault("send", 0L));
        metrics.put("uncounted", uncounted(metrics, places));
        return metrics;
    }

    /**
     * The absolute difference between the counters and the sender's loss. Ignores the network card's counter, because
     * loopback traffic does not pass through it.
     */
    static double uncounted(Map<String, Double> metrics, Map<String, Long> places) {
        double counted = places.isEmpty()
                ? metrics.getOrDefault("drops", 0.0)
                : places.entrySet().stream()
                        .filter(place -> !place.getKey().equals("card"))
                        .mapToLong(Map.Entry::getValue)
                        .sum();
        return Math.abs(metrics.getOrDefault("lost", 0.0) - counted);
    }
}
