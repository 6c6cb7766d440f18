package dev.penstock.lab.probe;

import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.probe.IdleConnection.KillKind;
import dev.penstock.lab.report.Figures;
import dev.penstock.text.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The findings of a {@link Probe} as sentences with their numbers.
 *
 * @param findings the findings
 */
public record ProbeSentences(ProbeFindings findings) {
    /** That the probe is INVALID, if it is; the findings, a sentence each; what was skipped. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        String why = findings.validity().whyInvalid();
        if (why != null) {
            lines.add("INVALID: " + why);
        }
        lines.addAll(found());
        findings.skipped().forEach(what -> lines.add("not measured: " + what));
        return List.copyOf(lines);
    }

    /** The findings alone. */
    List<String> found() {
        List<String> lines = new ArrayList<>();
        lines.add(roundTrip());
        findings.announced()
                .forEach(limit -> lines.add(
                        "the target announces %s %s: %s".formatted(limit.name(), limit.value(), limit.meaning())));
        knee(lines, findings.knee());
        idle(lines, findings.idle());
        BatchFinding batch = findings.batch();
        if (batch != null) {
            lines.add((batch.pays() ? "batching pays: " : "batching does not pay: ") + batch.why());
        }
        return lines;
    }

    private String roundTrip() {
        LoadResult result = findings.roundTrip();
        Latency times = result.response();
        long wrong = result.counts().errors();
        return "round trip: median %s, p99 %s, maximum %s, of %,d sequential calls%s"
                .formatted(
                        time(times, times.percentile(50)),
                        time(times, times.percentile(99)),
                        time(times, times.max()),
                        result.counts().started(),
                        wrong == 0 ? "" : "; %,d were not answered correctly".formatted(wrong));
    }

    private static String time(Latency of, OptionalLong nanos) {
        if (nanos.isEmpty()) {
            return "n/a (too few)";
        }
        boolean lowerBound = nanos.getAsLong() >= of.leastUnanswered().orElse(Long.MAX_VALUE);
        return (lowerBound ? "at least " : "") + Durations.format(nanos.getAsLong());
    }

    private static void knee(List<String> lines, @Nullable KneeFinding knee) {
        if (knee == null) {
            return;
        }
        if (knee.reached()) {
            lines.add("concurrency: knee at %s (95 %% interval %s to %s), throughput %s/s there; %s"
                    .formatted(
                            Figures.number(knee.knee()),
                            Figures.number(knee.low()),
                            Figures.number(knee.high()),
                            Figures.number(knee.bestThroughput()),
                            knee.why()));
        } else {
            lines.add("concurrency: the knee was not reached; " + knee.why());
        }
    }

    private static void idle(List<String> lines, @Nullable IdleFinding idle) {
        if (idle == null) {
            return;
        }
        boolean isKilled = idle.kind() != null && idle.killAfter() != null;
        lines.add("idle connections: " + (isKilled ? killed(idle) : "none was killed") + "; " + idle.why());
    }

    /** When and how connections are killed. */
    static String killed(IdleFinding idle) {
        return "killed after about %s (%s)"
                .formatted(Durations.format(Objects.requireNonNull(idle.killAfter())), format(idle.kind()));
    }

    private static String format(@Nullable KillKind kind) {
        return switch (kind) {
            case FIN -> "FIN";
            case RST -> "RST";
            case SILENT -> "silently";
            case null -> "unknown how";
        };
    }
}
