package dev.penstock.lab.probe;

import dev.penstock.lab.probe.fit.CappedLine;
import dev.penstock.lab.probe.fit.Curve;
import dev.penstock.lab.probe.fit.KneeFit;
import dev.penstock.lab.probe.fit.Sample;
import dev.penstock.lab.report.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Explains the result of a knee search. Pure.
 *
 * @param bound why nothing higher is known
 * @param most the highest concurrency without errors
 * @param refused the lowest concurrency with errors
 * @param errorShare the share of calls that failed there
 * @param all every measurement
 */
record KneeSentences(KneeSearch.Bound bound, int most, int refused, double errorShare, List<KneeObservation> all) {
    private static final int PLACES = 60;

    KneeFinding reached(KneeFit fit, List<KneeObservation> clean) {
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
                points(),
                plotted(chosen, clean),
                plotted(fit.other(), clean),
                true,
                knee,
                Math.max(1, fit.low()),
                Math.min(fit.high(), most),
                chosen.throughput(knee),
                most,
                why + (bound == KneeSearch.Bound.ERRORS ? "; errors begin at concurrency " + refused : ""));
    }

    private String beyond(Curve chosen, double knee) {
        double change = 100 * (chosen.throughput(most) / chosen.throughput(knee) - 1);
        return change > -1 ? "is no higher" : "is " + Figures.number(Math.rint(-change)) + " % lower";
    }

    /** The target answers all calls up to some concurrency and refuses those beyond it. */
    KneeFinding refused(@Nullable KneeFit fit, List<KneeObservation> clean) {
        double best =
                clean.stream().mapToDouble(KneeObservation::throughput).max().orElse(0);
        CappedLine line = CappedLine.fit(samples(clean));
        CappedLine capped = line == null ? null : new CappedLine(line.slope(), line.throughput(most));
        return new KneeFinding(
                points(),
                capped == null ? null : plotted(capped, clean),
                fit == null ? null : plotted(fit.chosen(), clean),
                true,
                most,
                most,
                refused,
                best,
                most,
                "no call failed because of concurrency at %d, and %s %% did at %d: the target refuses calls beyond that"
                        .formatted(most, Figures.number(100 * errorShare), refused));
    }

    KneeFinding notReached(@Nullable KneeFit fit, List<KneeObservation> clean) {
        double best =
                clean.stream().mapToDouble(KneeObservation::throughput).max().orElse(0);
        return new KneeFinding(
                points(),
                fit == null ? null : plotted(fit.chosen(), clean),
                fit == null ? null : plotted(fit.other(), clean),
                false,
                most,
                most,
                most,
                best,
                most,
                "throughput was %s/s at concurrency %d, and %s"
                        .formatted(Figures.number(throughput(clean)), most, whyNotReached()));
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
            case RATE -> "more calls would exceed the probe's rate limit: raise --max-rate to learn more";
            case CONNECTIONS -> "the probe may open no more connections: raise --max-connections to learn more";
            case ANNOUNCED ->
                "the peer's max_connections, without those reserved or in use, allows no more connections";
            case TIME -> "no time was left for higher levels: raise --for to learn more";
            case LATE ->
                "this machine could not start more calls in time: probe from a machine with more cores to learn more";
            case ERRORS ->
                "errors began at concurrency %d, where %s %% of calls failed"
                        .formatted(refused, Figures.number(100 * errorShare));
            case SATURATED -> "the measurements do not agree on the knee: raise --for to learn more";
        };
    }

    private static String named(Curve curve) {
        return curve instanceof CappedLine ? "a capped line" : "the universal scalability law";
    }

    private static List<Sample> samples(List<KneeObservation> clean) {
        return clean.stream().map(KneeObservation::sample).toList();
    }

    private List<KneeFinding.Point> points() {
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
