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

/** What the medians and the verdicts of a result file have to do with the blocks they are of. */
final class VerdictChecks {
    private static final double ALMOST = 1e-6;

    private final ResultFile file;
    private final Findings findings;

    private VerdictChecks(ResultFile file, Findings findings) {
        this.file = file;
        this.findings = findings;
    }

    static void look(ResultFile file, Findings findings) {
        VerdictChecks laws = new VerdictChecks(file, findings);
        file.contestants().forEach(laws::spreads);
        file.verdicts().forEach(laws::verdict);
    }

    private void spreads(Contestant contestant) {
        Map<String, Spread> right = Contestant.of("", contestant.role(), Map.of(), contestant.blocks())
                .metrics();
        contestant.metrics().forEach((key, told) -> {
            Spread spread = right.get(key);
            if (spread != null
                    && !(near(told.median(), spread.median())
                            && near(told.min(), spread.min())
                            && near(told.max(), spread.max()))) {
                findings.impossible(
                        new ResultRow(contestant.name(), Map.of()),
                        "its blocks have the median " + Figures.number(spread.median()) + " of " + key + " between "
                                + Figures.number(spread.min()) + " and " + Figures.number(spread.max())
                                + ", not " + Figures.number(told.median()) + " between " + Figures.number(told.min())
                                + " and " + Figures.number(told.max()));
            }
        });
    }

    private void verdict(Comparison it) {
        ResultRow row = new ResultRow(it.ours() + " / " + it.other() + ", " + it.metric(), Map.of());
        if (it.ratio() < it.low() * (1 - ALMOST) || it.ratio() > it.high() * (1 + ALMOST)) {
            findings.impossible(
                    row, "the ratio " + Figures.number(it.ratio()) + " is not within its interval, " + interval(it));
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
            findings.impossible(row, it.verdict() + " does not follow from the interval " + interval(it));
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
        if (it.ratio() < least * (1 - ALMOST) || it.ratio() > most * (1 + ALMOST)) {
            findings.impossible(
                    row,
                    "the ratio " + Figures.number(it.ratio()) + " is not between " + Figures.number(least) + " and "
                            + Figures.number(most) + ", which its blocks allow");
        }
        if (it.verdict() != Verdict.INCONCLUSIVE && Math.min(up.getCount(), down.getCount()) < VerdictRule.LEAST_SAMPLES) {
            findings.impossible(
                    row,
                    it.verdict() + " is said of " + Math.min(up.getCount(), down.getCount())
                            + " samples, and fewer than " + VerdictRule.LEAST_SAMPLES + " judge nothing");
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
        return Math.abs(a - b) <= ALMOST * Math.max(1, Math.abs(b));
    }

    private static String interval(Comparison it) {
        return Figures.number(it.low()) + " to " + (it.high() >= Double.MAX_VALUE ? "inf" : Figures.number(it.high()));
    }
}
