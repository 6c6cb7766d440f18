package dev.penstock.lab.probe;

import dev.penstock.lab.probe.IdleConnection.KillKind;
import dev.penstock.lab.report.CourseNote;
import dev.penstock.lab.report.ProbeNote;
import dev.penstock.lab.report.ResultFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a {@link Probe} as a result file, experiment {@code probe}; {@code HtmlReport} draws its curves. Besides the
 * metrics of the round trip it has {@code knee}, {@code knee_low}, {@code knee_high}, {@code knee_tps}, {@code
 * concurrency_worked} (no recommendation is higher), {@code idle_kill_ms}, {@code idle_lived_ms}, {@code idle_kind} (0 FIN, 1
 * RST, 2 silent) and {@code batch_best}; unknown values are absent.
 */
public final class ProbeFile {
    private ProbeFile() {}

    /**
     * Creates the file.
     *
     * @param version of Penstock
     * @param command the command line that made it
     * @param seed of random choices
     * @param findings the findings
     * @param advice recommended settings; may be empty
     */
    public static ResultFile of(
            String version, String command, long seed, ProbeFindings findings, List<ProbeNote.Setting> advice) {
        ResultFile load = ResultFile.ofLoad(
                "probe", version, command, seed, "round trip", Map.of(), findings.roundTrip(), metrics(findings));
        ProbeNote note = new ProbeNote(new ProbeSentences(findings).lines(), advice, knee(findings.knee()));
        CourseNote course = new CourseNote(
                findings.where(),
                findings.roundTrip().load(),
                1,
                List.of(),
                List.of("p50_ms", "p90_ms", "p99_ms", "max_ms", "errors"),
                Map.of(),
                List.of(),
                null,
                List.of(),
                null,
                note);
        return new ResultFile(
                load.experiment(),
                load.version(),
                load.command(),
                load.seed(),
                findings.validity().valid(),
                findings.validity().whyInvalid(),
                List.of(),
                load.machine(),
                null,
                List.of(course),
                load.contestants(),
                List.of());
    }

    private static Map<String, Double> metrics(ProbeFindings findings) {
        Map<String, Double> metrics = new LinkedHashMap<>(findings.roundTrip().metrics());
        KneeFinding knee = findings.knee();
        if (knee != null && knee.reached()) {
            metrics.put("knee", knee.knee());
            metrics.put("knee_low", knee.low());
            metrics.put("knee_high", knee.high());
            metrics.put("knee_tps", knee.bestThroughput());
        }
        findings.mostConcurrent().ifPresent(most -> metrics.put("concurrency_worked", (double) most));
        IdleFinding idle = findings.idle();
        if (idle != null) {
            metrics.put("idle_lived_ms", idle.lived().toNanos() / 1e6);
            if (idle.kind() != null && idle.killAfter() != null) {
                metrics.put("idle_kill_ms", idle.killAfter().toNanos() / 1e6);
                metrics.put("idle_kind", kind(idle.kind()));
            }
        }
        BatchFinding batch = findings.batch();
        if (batch != null) {
            metrics.put("batch_best", (double) batch.best());
        }
        return metrics;
    }

    private static double kind(KillKind kind) {
        return switch (kind) {
            case FIN -> 0;
            case RST -> 1;
            case SILENT -> 2;
        };
    }

    private static ProbeNote.@Nullable Knee knee(@Nullable KneeFinding knee) {
        if (knee == null) {
            return null;
        }
        return new ProbeNote.Knee(knee.points(), knee.reached(), knee.knee(), knee.low(), knee.high());
    }
}
