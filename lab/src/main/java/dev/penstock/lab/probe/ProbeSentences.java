package dev.penstock.lab.probe;

import dev.penstock.Durations;
import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.measure.LoadResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Probe} found, in sentences with their numbers. It measures nothing.
 *
 * @param findings what was found
 */
public record ProbeSentences(ProbeFindings findings) {
    /** What was found, a sentence each, and then what was not looked for. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(found());
        findings.skipped().forEach(what -> lines.add("not found out: " + what));
        return List.copyOf(lines);
    }

    /** What was found alone. */
    List<String> found() {
        List<String> lines = new ArrayList<>();
        lines.add(roundTrip());
        findings.announced()
                .forEach(said -> lines.add("it says %s %s: %s".formatted(said.name(), said.value(), said.meaning())));
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
        return "round trip: median %s, p99 %s, longest %s, of %,d calls one by one%s"
                .formatted(
                        time(times.percentile(50)),
                        time(times.percentile(99)),
                        time(times.max()),
                        result.counts().started(),
                        wrong == 0 ? "" : "; %,d were not answered right".formatted(wrong));
    }

    private static String time(OptionalLong nanos) {
        return nanos.isPresent() ? Durations.words(nanos.getAsLong()) : "n/a (too few)";
    }

    private static void knee(List<String> lines, @Nullable KneeFinding knee) {
        if (knee == null) {
            return;
        }
        if (knee.reached()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "calls at once: knee at %.3g (95 %% interval %.3g to %.3g), %.4g answers a second there; %s",
                    knee.knee(),
                    knee.low(),
                    knee.high(),
                    knee.bestPerSecond(),
                    knee.why()));
        } else {
            lines.add("calls at once: the knee was not reached; " + knee.why());
        }
    }

    private static void idle(List<String> lines, @Nullable IdleFinding idle) {
        if (idle == null) {
            return;
        }
        if (idle.kind() == null || idle.killAfter() == null) {
            lines.add("idle connections: none was killed; " + idle.why());
        } else {
            lines.add("idle connections: killed after about %s (%s); %s"
                    .formatted(Durations.words(idle.killAfter()), word(idle.kind()), idle.why()));
        }
    }

    /** For people. */
    static String word(KillKind kind) {
        return switch (kind) {
            case FIN -> "FIN";
            case RST -> "RST";
            case SILENT -> "silently";
        };
    }
}
