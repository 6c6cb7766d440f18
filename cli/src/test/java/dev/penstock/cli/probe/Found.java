package dev.penstock.cli.probe;

import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.measure.ProcessUse;
import dev.penstock.lab.measure.Validity;
import dev.penstock.lab.probe.AnnouncedLimit;
import dev.penstock.lab.probe.BatchFinding;
import dev.penstock.lab.probe.IdleConnection.KillKind;
import dev.penstock.lab.probe.IdleFinding;
import dev.penstock.lab.probe.KneeFinding;
import dev.penstock.lab.probe.ProbeFindings;
import dev.penstock.lab.report.ProbeNote;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Findings of a probe: 20 concurrent calls, answers within 40 ms. */
public final class Found {
    private Found() {}

    /** Findings of a peer that silently kills idle connections of an age; null for one that does not kill. */
    public static ProbeFindings at(String where, @Nullable Duration kill) {
        IdleFinding idle = kill == null
                ? new IdleFinding(null, Duration.ofSeconds(20), null, null, 12, "none was killed")
                : new IdleFinding(KillKind.SILENT, kill, kill.multipliedBy(4), kill.multipliedBy(2), 12, "killed");
        return new ProbeFindings(where, roundTrip(), List.of(), knee(true), idle, batch(), List.of(), Validity.VALID);
    }

    /** Findings without searches. */
    public static ProbeFindings announcing(String where, AnnouncedLimit... announced) {
        return new ProbeFindings(where, roundTrip(), List.of(announced), null, null, null, List.of(), Validity.VALID);
    }

    /** Findings that this machine was too busy to measure. */
    public static ProbeFindings invalid(String where, String why) {
        return new ProbeFindings(where, roundTrip(), List.of(), knee(true), null, null, List.of(), new Validity(why));
    }

    /** Findings of the best concurrency. */
    static ProbeFindings knee(String where, boolean reached, AnnouncedLimit... announced) {
        return new ProbeFindings(
                where, roundTrip(), List.of(announced), knee(reached), null, null, List.of(), Validity.VALID);
    }

    private static KneeFinding knee(boolean reached) {
        List<ProbeNote.Point> points = List.of(
                new ProbeNote.Point(1, 50, 20, 0),
                new ProbeNote.Point(20, 1000, 20, 0),
                new ProbeNote.Point(40, 1000, 40, 0));
        return reached
                ? new KneeFinding(points, KneeFinding.Beyond.FLAT, 20.2, 18, 22, 1000, 40, "flat from 20 on")
                : new KneeFinding(points, null, 40, 40, 40, 1000, 40, "no time was left");
    }

    private static BatchFinding batch() {
        return new BatchFinding(
                List.of(new BatchFinding.Point(1, 20, 20), new BatchFinding.Point(50, 25, 0.5)),
                true,
                50,
                "50 in one call take 25 ms, one takes 20 ms");
    }

    private static LoadResult roundTrip() {
        Histogram nanos = Latency.empty();
        for (int i = 0; i < 400; i++) {
            nanos.recordValue(20_000_000L + i * 50_000L);
        }
        return load(nanos);
    }

    /** A load over 8 s whose answers are all right, and took these times. */
    public static LoadResult load(Histogram nanos) {
        Latency times = Latency.of(nanos);
        long count = times.count();
        return new LoadResult(
                "one by one",
                8,
                new Counts(count, count, 0, 0, 0, 0, 0, 0, Map.of()),
                count / 8.0,
                times,
                Latency.of(Latency.empty()),
                times,
                Latency.of(Latency.empty()),
                1,
                count,
                new ProcessUse(0, 0, 0, 0, 0, -1, List.of()),
                Validity.VALID,
                List.of(),
                Map.of(),
                null);
    }
}
