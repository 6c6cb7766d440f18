package dev.penstock.lab.probe;

import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.ProcessUse;
import dev.penstock.lab.measure.Validity;
import dev.penstock.lab.probe.IdleConnection.KillKind;
import dev.penstock.lab.report.ProbeNote;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Findings as a probe could have them. */
final class Findings {
    private Findings() {}

    static LoadResult roundTrip(int millis) {
        Histogram times = Latency.empty();
        times.recordValueWithCount(millis * 1_000_000L, 400);
        Latency latency = Latency.of(times);
        return new LoadResult(
                "closed load, 1 users for 2 s",
                2,
                new Counts(400, 400, 0, 0, 0, 0, 0, 0, Map.of()),
                200,
                latency,
                Latency.of(Latency.empty()),
                latency,
                Latency.of(Latency.empty()),
                1,
                400,
                new ProcessUse(-1, 0, 0, 0, 0, -1, List.of()),
                Validity.VALID,
                List.of(),
                Map.of(),
                null);
    }

    static KneeFinding flat(double knee, double low, double high) {
        return knee(KneeFinding.Beyond.FLAT, knee, low, high);
    }

    static KneeFinding falling(double knee) {
        return knee(KneeFinding.Beyond.FALLS, knee, 0.9 * knee, 1.3 * knee);
    }

    private static KneeFinding knee(KneeFinding.Beyond beyond, double knee, double low, double high) {
        return new KneeFinding(
                List.of(
                        new ProbeNote.Point(1, 50, 20, 0),
                        new ProbeNote.Point((int) (2 * knee), 50 * knee, 40, 0),
                        new ProbeNote.Point((int) (4 * knee), 20 * knee, 10, 0.6)),
                beyond,
                knee,
                low,
                high,
                50 * knee,
                (int) (2 * knee),
                "throughput is no higher");
    }

    static IdleFinding killed(KillKind kind) {
        return new IdleFinding(
                kind, Duration.ofSeconds(29), Duration.ofSeconds(31), Duration.ofSeconds(30), 30, "seen so");
    }

    static BatchFinding batch() {
        return new BatchFinding(
                List.of(new BatchFinding.Point(1, 20, 20), new BatchFinding.Point(64, 84, 1.3)), true, 50, "saves");
    }

    static ProbeFindings of(@Nullable KneeFinding knee, @Nullable IdleFinding idle, @Nullable BatchFinding batch) {
        return new ProbeFindings(
                "http://peer",
                roundTrip(20),
                List.of(new AnnouncedLimit("max_connections", "20", "no more than 20 connections")),
                knee,
                idle,
                batch,
                List.of("announcements: none"),
                Validity.VALID);
    }

    /** Findings of concurrency alone. */
    static ProbeFindings announcing(KneeFinding knee, AnnouncedLimit... announced) {
        return new ProbeFindings(
                "http://peer", roundTrip(20), List.of(announced), knee, null, null, List.of(), Validity.VALID);
    }

    /** Findings of concurrency that this machine was too busy to measure. */
    static ProbeFindings invalid(KneeFinding knee, String why) {
        return new ProbeFindings(
                "http://peer", roundTrip(20), List.of(), knee, null, null, List.of(), new Validity(why));
    }
}
