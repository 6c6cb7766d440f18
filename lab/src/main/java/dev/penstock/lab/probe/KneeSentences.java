package dev.penstock.lab.probe;

import dev.penstock.lab.probe.KneeFinding.Beyond;
import dev.penstock.lab.report.Figures;
import dev.penstock.lab.report.ProbeNote;
import java.util.List;

/**
 * Explains the result of a knee search. Pure.
 *
 * @param bound why nothing higher is known
 * @param most the highest concurrency without errors
 * @param refused the lowest concurrency with errors
 * @param errorShare the share of calls that failed there
 * @param all every measurement
 * @param clean those that show the target's capacity
 */
record KneeSentences(
        KneeSearch.Bound bound,
        int most,
        int refused,
        double errorShare,
        List<KneeObservation> all,
        List<KneeObservation> clean) {
    KneeFinding reached(KneeEstimate estimate) {
        double best = estimate.throughput();
        double change = 100 * (throughput() / best - 1);
        String why = "of %d measurements, throughput at %d %s%s"
                .formatted(
                        clean.size(),
                        most,
                        estimate.falls() ? "is " + Figures.number(Math.rint(-change)) + " % lower" : "is no higher",
                        bound == KneeSearch.Bound.ERRORS ? "; errors begin at concurrency " + refused : "");
        return new KneeFinding(
                points(),
                estimate.falls() ? Beyond.FALLS : Beyond.FLAT,
                estimate.knee(),
                estimate.low(),
                Math.min(estimate.high(), most),
                best,
                most,
                why);
    }

    /** The target answers all calls up to some concurrency and refuses those beyond it. */
    KneeFinding refusing() {
        return new KneeFinding(
                points(),
                Beyond.REFUSES,
                most,
                most,
                refused,
                best(),
                most,
                "no call failed because of concurrency at %d, and %s %% did at %d: the target refuses calls beyond that"
                        .formatted(most, Figures.number(100 * errorShare), refused));
    }

    KneeFinding notReached() {
        return new KneeFinding(
                points(),
                null,
                most,
                most,
                most,
                best(),
                most,
                "throughput was %s/s at concurrency %d, and %s"
                        .formatted(Figures.number(throughput()), most, whyNotReached()));
    }

    private double best() {
        return clean.stream().mapToDouble(KneeObservation::throughput).max().orElse(0);
    }

    /** At the highest concurrency without errors. */
    private double throughput() {
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

    private List<ProbeNote.Point> points() {
        return all.stream().map(KneeObservation::point).toList();
    }
}
