package dev.penstock.races.messages;

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
 * @param stall the longest time without a handled message, in seconds
 * @param use resource use of this JVM
 */
public record MeasuredWindow(double seconds, double planned, long count, double stall, ProcessUse use) {
    /** The minimum number of remaining messages: more than all clients prefetch. */
    static final int DRY = 3_000;

    /** A new share group takes 8 s. */
    private static final Duration LONGEST_JOIN = Duration.ofSeconds(20);

    private static final long POLL_NANOS = 10_000_000;
    private static final double SHORTEST = 0.25;

    /** Measures after a warm-up, which begins with the first message. */
    public static MeasuredWindow of(MessageWork handling, Duration warmUp, Duration measured) {
        int dry = handling.sent() - DRY;
        await(handling, LONGEST_JOIN, 1);
        await(handling, warmUp, dry / 2);
        try (ProcessProbe probe = ProcessProbe.start()) {
            long start = Ticker.SYSTEM.nanos();
            long before = handling.ended();
            long stall = await(handling, measured, dry);
            long count = handling.ended() - before;
            double seconds = (Ticker.SYSTEM.nanos() - start) / 1e9;
            return new MeasuredWindow(seconds, measured.toMillis() / 1e3, count, stall / 1e9, probe.soFar());
        }
    }

    /** Returns the longest time without progress, in ns. */
    private static long await(MessageWork handling, Duration time, long most) {
        long now = Ticker.SYSTEM.nanos();
        long until = now + time.toNanos();
        long handled = handling.ended();
        long progress = now;
        long stall = 0;
        while (now - until < 0 && handled < most) {
            Ticker.SYSTEM.parkUntil(Math.min(until, now + POLL_NANOS));
            now = Ticker.SYSTEM.nanos();
            stall = Math.max(stall, now - progress);
            if (handling.ended() > handled) {
                handled = handling.ended();
                progress = now;
            }
        }
        return stall;
    }

    public double tps() {
        return count / seconds;
    }

    /** One sentence when the window was too short to be valid; null otherwise. */
    @Nullable
    public String whyInvalid() {
        return seconds >= SHORTEST * planned
                ? null
                : "the queue ran dry after %.1f s of %.1f s".formatted(seconds, planned);
    }

    public Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("tps", tps());
        if (count > 0) {
            metrics.put("cpu_us_per_tx", use.cpuNanos() / 1e3 / count);
        }
        metrics.put("stall_ms", stall * 1e3);
        metrics.put("heap_peak_mb", use.heapPeak() / 1024.0 / 1024.0);
        return metrics;
    }
}
