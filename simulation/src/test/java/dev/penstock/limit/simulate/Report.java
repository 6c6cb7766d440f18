package dev.penstock.limit.simulate;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** All scores as one text, so that a difference shows a change of behaviour. */
final class Report {
    private static final String HEAD = """
            # How limits do in the simulator

            Useful answers as a share of those of an oracle that knows the best limit of every moment in advance: over the
            whole scenario, and in the worst of its steady parts. Then the p99 of the time from arrival to answer, the
            longest time until 2 s gave 95 percent of the oracle's, and the most permits in a steady part, as a multiple of the
            best. Seed %d. Made by `LimitSimulationTest`.
            """;

    static final String HEADER =
            "| scenario | whole | steady | p99 ms | adapted s | overshoot |\n|---|---|---|---|---|---|\n";

    private Report() {}

    static String of(long seed, Map<String, List<Score>> scores) {
        StringBuilder text = new StringBuilder(HEAD.formatted(seed));
        scores.forEach((name, each) -> {
            text.append("\n## ").append(name).append("\n\n");
            text.append(HEADER);
            each.forEach(score -> text.append(line(score)));
        });
        return text.toString();
    }

    static String line(Score score) {
        return String.format(
                Locale.ROOT,
                "| %s | %.3f | %.3f | %.0f | %.1f | %.1f |%n",
                score.scenario(),
                score.whole(),
                score.steady(),
                score.p99Millis(),
                score.adaptedSeconds(),
                score.overshoot());
    }
}
