package dev.penstock.lab.report;

import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.measure.Progress;
import dev.penstock.lab.measure.Recorded;

/** The line that tells how far a load has come. */
public final class LoadProgress {
    private LoadProgress() {}

    /** For instance {@code 12s of 30s  2,400 started  in flight 201  p50 1,002 ms  p99 1,010 ms  errors 0}. */
    public static String line(Progress progress) {
        Recorded recorded = progress.recorded();
        Counts counts = recorded.counts();
        String time = progress.elapsed().toSeconds() + "s"
                + (progress.planned().isZero()
                        ? ""
                        : " of " + progress.planned().toSeconds() + "s");
        long errors = counts.errors() - counts.lost(); // what has no ending yet is in flight, not lost
        return time + "  " + Figures.count(counts.started()) + " started  in flight "
                + Figures.count(progress.inFlight()) + "  p50 "
                + withUnit(Figures.ms(recorded.response().percentile(50)))
                + "  p99 " + withUnit(Figures.ms(recorded.response().percentile(99))) + "  errors "
                + Figures.count(errors);
    }

    private static String withUnit(String ms) {
        return ms.equals(Figures.NOT_KNOWN) ? ms : ms + " ms";
    }
}
