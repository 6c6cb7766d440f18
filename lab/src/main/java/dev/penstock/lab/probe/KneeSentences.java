package dev.penstock.lab.probe;

import dev.penstock.lab.probe.fit.CappedLine;
import dev.penstock.lab.probe.fit.Curve;
import dev.penstock.lab.probe.fit.KneeFit;
import dev.penstock.lab.probe.fit.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Explains the result of a knee search. Pure.
 *
 * @param bound why the doubling phase ended
 * @param most the highest concurrency without errors
 * @param refused the lowest concurrency with errors
 * @param rounds how often the levels around the knee were measured
 */
record KneeSentences(KneeSearch.Bound bound, int most, int refused, int rounds) {
    private static final int PLACES = 60;

    KneeFinding reached(KneeFit fit, List<KneeObservation> clean, List<KneeObservation> all) {
        Curve chosen = fit.chosen();
        double knee = chosen.knee();
        String why = String.format(
                Locale.ROOT,
                "%s fits %d measurements best (AIC %.0f against %.0f), throughput at %d %s",
                named(chosen),
                clean.size(),
                chosen.aic(samples(clean)),
                fit.other().aic(samples(clean)),
                most,
                beyond(chosen, knee));
        return new KneeFinding(
                points(all),
                plotted(chosen, clean),
                plotted(fit.other(), clean),
                true,
                knee,
                Math.max(1, fit.low()),
                Math.min(fit.high(), most),
                chosen.throughput(knee),
                why + (bound == KneeSearch.Bound.ERRORS ? "; errors begin at concurrency " + refused : ""));
    }

    private String beyond(Curve chosen, double knee) {
        double change = 100 * (chosen.throughput(most) / chosen.throughput(knee) - 1);
        return change > -1 ? "is no higher" : String.format(Locale.ROOT, "is %.0f %% lower", -change);
    }

    /** The target answers all calls up to some concurrency and refuses those beyond it. */
    KneeFinding refused(@Nullable KneeFit fit, List<KneeObservation> clean, List<KneeObservation> all) {
        double best =
                clean.stream().mapToDouble(KneeObservation::throughput).max().orElse(0);
        CappedLine line = CappedLine.fit(samples(clean));
        CappedLine capped = line == null ? null : new CappedLine(line.slope(), line.throughput(most));
        return new KneeFinding(
                points(all),
                capped == null ? null : plotted(capped, clean),
                fit == null ? null : plotted(fit.chosen(), clean),
                true,
                most,
                most,
                refused,
                best,
                String.format(
                        Locale.ROOT,
                        "all calls were answered at concurrency %d, and %.0f %% were not at %d: the target refuses"
                                + " calls beyond that",
                        most,
                        100 * errors(all),
                        refused));
    }

    private double errors(List<KneeObservation> all) {
        return all.stream()
                .filter(observation -> observation.concurrency() == refused)
                .mapToDouble(KneeObservation::errorShare)
                .max()
                .orElse(0);
    }

    KneeFinding notReached(@Nullable KneeFit fit, List<KneeObservation> clean, List<KneeObservation> all) {
        double best =
                clean.stream().mapToDouble(KneeObservation::throughput).max().orElse(0);
        return new KneeFinding(
                points(all),
                fit == null ? null : plotted(fit.chosen(), clean),
                fit == null ? null : plotted(fit.other(), clean),
                false,
                most,
                most,
                most,
                best,
                String.format(
                        Locale.ROOT,
                        "throughput was %2$.3g/s at concurrency %1$d, and %3$s",
                        most,
                        throughput(clean),
                        whyNotReached()));
    }

    private double throughput(List<KneeObservation> clean) {
        return clean.stream()
                .filter(observation -> observation.concurrency() == most)
                .mapToDouble(KneeObservation::throughput)
                .average()
                .orElse(0);
    }

    private String whyNotReached() {
        return switch (bound) {
            case RATE -> "more calls would exceed the probe's rate limit (--max-rate)";
            case CONNECTIONS -> "the probe may open no more connections (--max-connections)";
            case ANNOUNCED ->
                "the peer's max_connections, without those reserved or in use and a tenth, allows no more connections";
            case TIME -> "no time was left for higher levels (--for)";
            case ERRORS -> "errors began at concurrency " + refused;
            case SATURATED -> "the measurements do not agree on the knee; allow more time (--for)";
        };
    }

    private static String named(Curve curve) {
        return curve instanceof CappedLine ? "a capped line" : "the universal scalability law";
    }

    private static List<Sample> samples(List<KneeObservation> clean) {
        return clean.stream().map(KneeObservation::sample).toList();
    }

    private static List<KneeFinding.Point> points(List<KneeObservation> all) {
        return all.stream().map(KneeObservation::point).toList();
    }

    private KneeFinding.Curve plotted(Curve curve, List<KneeObservation> clean) {
        List<Double> concurrency = new ArrayList<>();
        List<Double> throughput = new ArrayList<>();
        double end = Math.max(2, Math.max(most, refused == Integer.MAX_VALUE ? 0 : refused));
        for (int i = 0; i <= PLACES; i++) {
            double place = Math.pow(end, i / (double) PLACES);
            concurrency.add(place);
            throughput.add(curve.throughput(place));
        }
        return new KneeFinding.Curve(curve.model(), curve.format(), curve.aic(samples(clean)), concurrency, throughput);
    }
}
