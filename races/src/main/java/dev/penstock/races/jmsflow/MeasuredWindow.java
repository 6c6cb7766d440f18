package dev.penstock.races.jmsflow;

import dev.penstock.Ticker;
import dev.penstock.lab.measure.ProcessProbe;
import dev.penstock.lab.measure.ProcessUse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages handled in the measured time. It ends early when the queue is about to run dry, so that the consumer
 * always has enough messages.
 *
 * @param seconds its duration
 * @param planned its planned duration
 * @param count the number of handled messages
 * @param use resource use of this JVM
 */
record MeasuredWindow(double seconds, double planned, long count, ProcessUse use) {
    /** The minimum number of remaining messages: more than all clients prefetch. */
    static final int DRY = 3_000;

    private static final long POLL_NANOS = 10_000_000;
    private static final double SHORTEST = 0.25;

    /** Measures after a warm-up. */
    static MeasuredWindow of(MessageWork handling, Duration warmUp, Duration measured) {
        int dry = handling.sent() - DRY;
        await(handling, warmUp, dry / 2);
        try (ProcessProbe probe = ProcessProbe.start()) {
            long start = Ticker.SYSTEM.nanos();
            long before = handling.ended();
            await(handling, measured, dry);
            long count = handling.ended() - before;
            double seconds = (Ticker.SYSTEM.nanos() - start) / 1e9;
            return new MeasuredWindow(seconds, measured.toMillis() / 1e3, count, probe.soFar());
        }
    }

    private static void await(MessageWork handling, Duration time, long most) {
        long until = Ticker.SYSTEM.nanos() + time.toNanos();
        for (long now = Ticker.SYSTEM.nanos();
                now - until < 0 && handling.ended() < most;
                now = Ticker.SYSTEM.nanos()) {
            Ticker.SYSTEM.parkUntil(Math.min(until, now + POLL_NANOS));
        }
    }

    double tps() {
        return count / seconds;
    }

    /** One sentence when the window was too short to be valid; null otherwise. */
    @Nullable
    String whyInvalid() {
        return seconds >= SHORTEST * planned
                ? null
                : "the queue ran dry after %.1f s of %.1f s".formatted(seconds, planned);
    }

    Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("tps", tps());
        if (count > 0) {
            metrics.put("cpu_us_per_tx", use.cpuNanos() / 1e3 / count);
        }
        metrics.put("heap_peak_mb", use.heapPeak() / 1024.0 / 1024.0);
        return metrics;
    }
}
