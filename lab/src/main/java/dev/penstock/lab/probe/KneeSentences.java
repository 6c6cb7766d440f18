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
 * What a search found, with its reason. Pure.
 *
 * @param bound why it climbed no further
 * @param most calls at once that were all answered right
 * @param refused the fewest at once of which not all were
 * @param rounds how often the levels around the knee were measured
 */
record KneeSentences(KneeSearch.Bound bound, int most, int refused, int rounds) {
    private static final int PLACES = 60;

    KneeFinding reached(KneeFit fit, List<KneeObservation> clean, List<KneeObservation> all) {
        Curve chosen = fit.chosen();
        double knee = chosen.knee();
        String why = String.format(
                Locale.ROOT,
                "%s fits %d measurements best (AIC %.0f against %.0f), %s at %d",
                named(chosen),
                clean.size(),
                chosen.aic(samples(clean)),
                fit.other().aic(samples(clean)),
                beyond(chosen, knee),
                most);
        return new KneeFinding(
                points(all),
                drawn(chosen, clean),
                drawn(fit.other(), clean),
                true,
                knee,
                Math.max(1, fit.low()),
                Math.min(fit.high(), 1.2 * most),
                chosen.perSecond(knee),
                why + (bound == KneeSearch.Bound.ERRORS ? "; from " + refused + " at once on it errs" : ""));
    }

    private String beyond(Curve chosen, double knee) {
        double change = 100 * (chosen.perSecond(most) / chosen.perSecond(knee) - 1);
        return change > -1 ? "with no more" : String.format(Locale.ROOT, "with %.0f %% fewer", -change);
    }

    /** The peer answers all up to some number at once, and refuses what is beyond. */
    KneeFinding refused(@Nullable KneeFit fit, List<KneeObservation> clean, List<KneeObservation> all) {
        double best = clean.stream().mapToDouble(KneeObservation::perSecond).max().orElse(0);
        CappedLine line = CappedLine.fit(samples(clean));
        CappedLine capped = line == null ? null : new CappedLine(line.slope(), line.perSecond(most));
        return new KneeFinding(
                points(all),
                capped == null ? null : drawn(capped, clean),
                fit == null ? null : drawn(fit.chosen(), clean),
                true,
                most,
                most,
                refused,
                best,
                String.format(
                        Locale.ROOT,
                        "all calls were answered with %d at once, and %.0f %% were not with %d: it refuses what is"
                                + " beyond",
                        most,
                        100 * errors(all),
                        refused));
    }

    private double errors(List<KneeObservation> all) {
        return all.stream()
                .filter(seen -> seen.atOnce() == refused)
                .mapToDouble(KneeObservation::errorShare)
                .max()
                .orElse(0);
    }

    KneeFinding notReached(@Nullable KneeFit fit, List<KneeObservation> clean, List<KneeObservation> all) {
        double best = clean.stream().mapToDouble(KneeObservation::perSecond).max().orElse(0);
        return new KneeFinding(
                points(all),
                fit == null ? null : drawn(fit.chosen(), clean),
                fit == null ? null : drawn(fit.other(), clean),
                false,
                most,
                most,
                most,
                best,
                String.format(
                        Locale.ROOT,
                        "%d at once gave %.3g answers a second, and %s",
                        most,
                        perSecond(clean),
                        unknown()));
    }

    private double perSecond(List<KneeObservation> clean) {
        return clean.stream()
                .filter(seen -> seen.atOnce() == most)
                .mapToDouble(KneeObservation::perSecond)
                .average()
                .orElse(0);
    }

    private String unknown() {
        return switch (bound) {
            case RATE -> "more would have been beyond the calls a second that the probe may make (--max-rate)";
            case CONNECTIONS -> "no more connections are allowed to the probe (--max-connections)";
            case ANNOUNCED ->
                "the max_connections that the peer announces, less a tenth and those in use, leaves no more";
            case TIME -> "no time was left for more (--for)";
            case ERRORS -> "errors began at " + refused;
            case BENT -> "the measurements do not agree on where it bends: give it more time (--for)";
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

    private KneeFinding.Curve drawn(Curve curve, List<KneeObservation> clean) {
        List<Double> atOnce = new ArrayList<>();
        List<Double> perSecond = new ArrayList<>();
        double end = Math.max(2, Math.max(most, refused == Integer.MAX_VALUE ? 0 : refused));
        for (int i = 0; i <= PLACES; i++) {
            double place = Math.pow(end, i / (double) PLACES);
            atOnce.add(place);
            perSecond.add(curve.perSecond(place));
        }
        return new KneeFinding.Curve(curve.model(), curve.words(), curve.aic(samples(clean)), atOnce, perSecond);
    }
}
