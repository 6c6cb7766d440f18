package dev.penstock.lab.compare.check;

import dev.penstock.lab.compare.VerdictRule;
import dev.penstock.lab.report.Comparison;
import dev.penstock.lab.report.Comparison.Verdict;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.Contestant.Spread;
import dev.penstock.lab.report.Figures;
import dev.penstock.lab.report.Metric;
import dev.penstock.lab.report.Metric.Better;
import dev.penstock.lab.report.ResultFile;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Invariants of the medians and verdicts of a result file and their blocks. */
final class VerdictChecks {
    private static final double TOLERANCE = 1e-6;

    private final ResultFile file;
    private final Findings findings;

    private VerdictChecks(ResultFile file, Findings findings) {
        this.file = file;
        this.findings = findings;
    }

    static void check(ResultFile file, Findings findings) {
        VerdictChecks checks = new VerdictChecks(file, findings);
        file.contestants().forEach(checks::spreads);
        file.verdicts().forEach(checks::verdict);
    }

    private void spreads(Contestant contestant) {
        Map<String, Spread> right = Contestant.of("", contestant.role(), Map.of(), contestant.blocks())
                .metrics();
        contestant.metrics().forEach((key, given) -> {
            Spread spread = right.get(key);
            if (spread != null
                    && !(near(given.median(), spread.median())
                            && near(given.min(), spread.min())
                            && near(given.max(), spread.max()))) {
                findings.impossible(
                        new ResultRow(contestant.name(), Map.of()),
                        "its blocks have the median " + Figures.number(spread.median()) + " of " + key + " between "
                                + Figures.number(spread.min()) + " and " + Figures.number(spread.max())
                                + ", not " + Figures.number(given.median()) + " between " + Figures.number(given.min())
                                + " and " + Figures.number(given.max()));
            }
        });
    }

    private void verdict(Comparison it) {
        ResultRow row = new ResultRow(it.ours() + " / " + it.other() + ", " + it.metric(), Map.of());
        if (it.ratio() < it.low() * (1 - TOLERANCE) || it.ratio() > it.high() * (1 + TOLERANCE)) {
            findings.impossible(
                    row,
                    "the ratio " + Figures.number(it.ratio()) + " is not within its confidence interval, "
                            + interval(it));
        }
        boolean upIsBetter = Metric.of(it.metric()).better() == Better.HIGHER;
        boolean above = it.low() > 1;
        boolean below = it.high() < 1;
        boolean better = upIsBetter ? above : below;
        boolean worse = upIsBetter ? below : above;
        boolean follows = switch (it.verdict()) {
            case FASTER -> better;
            case SLOWER -> worse;
            case SAME, INCONCLUSIVE -> true;
        };
        if (!follows) {
            findings.impossible(row, it.verdict() + " does not follow from the confidence interval " + interval(it));
        }
        parts(row, it);
    }

    private void parts(ResultRow row, Comparison it) {
        Contestant ours = contestant(it, it.ours());
        Contestant other = contestant(it, it.other());
        if (ours == null || other == null) {
            return;
        }
        boolean slices = ours.blocks().size() == 1 && other.blocks().size() == 1;
        List<Map<String, Double>> ofOurs = slices && !ours.slices().isEmpty() ? ours.slices() : ours.blocks();
        List<Map<String, Double>> ofOther = slices && !other.slices().isEmpty() ? other.slices() : other.blocks();
        double forZero = Metric.of(it.metric()).count() ? 0.5 : 0;
        DoubleSummaryStatistics up = values(ofOurs, it.metric(), forZero);
        DoubleSummaryStatistics down = values(ofOther, it.metric(), forZero);
        if (up.getCount() == 0 || down.getCount() == 0) {
            return;
        }
        double least = up.getMin() / down.getMax();
        double most = up.getMax() / down.getMin();
        if (it.ratio() < least * (1 - TOLERANCE) || it.ratio() > most * (1 + TOLERANCE)) {
            findings.impossible(
                    row,
                    "the ratio " + Figures.number(it.ratio()) + " is not between " + Figures.number(least) + " and "
                            + Figures.number(most) + ", the limits given by its blocks");
        }
        if (it.verdict() != Verdict.INCONCLUSIVE
                && Math.min(up.getCount(), down.getCount()) < VerdictRule.MIN_SAMPLES) {
            findings.impossible(
                    row,
                    it.verdict() + " is based on " + Math.min(up.getCount(), down.getCount())
                            + " samples, and verdicts need at least " + VerdictRule.MIN_SAMPLES);
        }
    }

    private static DoubleSummaryStatistics values(List<Map<String, Double>> parts, String key, double forZero) {
        return parts.stream()
                .map(part -> part.get(key))
                .filter(Objects::nonNull)
                .mapToDouble(value -> value + forZero)
                .filter(value -> value > 0)
                .summaryStatistics();
    }

    private @Nullable Contestant contestant(Comparison of, String name) {
        return file.contestants().stream()
                .filter(contestant ->
                        contestant.name().equals(name) && Objects.equals(contestant.course(), of.course()))
                .findFirst()
                .orElse(null);
    }

    private static boolean near(double a, double b) {
        return Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(b));
    }

    private static String interval(Comparison it) {
        return Figures.number(it.low()) + " to " + (it.high() >= Double.MAX_VALUE ? "inf" : Figures.number(it.high()));
    }
}
