package dev.penstock.lab.probe;

import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.ProcessUse;
import dev.penstock.lab.measure.Validity;
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

    static KneeFinding capped(double knee, double low, double high) {
        List<Double> across = List.of(1.0, knee, 4 * knee);
        return new KneeFinding(
                List.of(
                        new KneeFinding.Point(1, 50, 20, 0),
                        new KneeFinding.Point((int) (2 * knee), 50 * knee, 40, 0),
                        new KneeFinding.Point((int) (4 * knee), 20 * knee, 10, 0.6)),
                new KneeFinding.Curve(
                        "capped line", "50 a second each", -50, across, List.of(50.0, 50 * knee, 50 * knee)),
                new KneeFinding.Curve("usl", "50 a second alone", -40, across, List.of(50.0, 40 * knee, 45 * knee)),
                true,
                knee,
                low,
                high,
                50 * knee,
                (int) (2 * knee),
                "a capped line fits");
    }

    static KneeFinding usl(double knee) {
        KneeFinding line = capped(knee, 0.9 * knee, 1.3 * knee);
        return new KneeFinding(
                line.points(),
                line.other(),
                line.chosen(),
                true,
                knee,
                0.9 * knee,
                1.3 * knee,
                40 * knee,
                (int) (2 * knee),
                "the law fits");
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
