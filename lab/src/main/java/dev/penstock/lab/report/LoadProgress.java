package dev.penstock.lab.report;

import dev.penstock.lab.datagram.DatagramProgress;
import dev.penstock.lab.measure.Counts;
import dev.penstock.lab.measure.Progress;
import dev.penstock.lab.measure.Recorded;
import java.time.Duration;

/** Formats the progress of a load. */
public final class LoadProgress {
    private LoadProgress() {}

    /**
     * For instance {@code 12s, 18s left  199.8/s  in flight 201  p50 1,002 ms  p99 1,010 ms  errors 0}; the rate is
     * that of correct answers since the warm-up.
     */
    public static String line(Progress progress) {
        Recorded recorded = progress.recorded();
        Counts counts = recorded.counts();
        long errors = counts.errors() - counts.lost(); // during the load, "lost" are those in flight
        return time(progress.elapsed(), progress.planned()) + "  " + rate(progress) + "  in flight "
                + Figures.count(progress.inFlight()) + "  p50 "
                + withUnit(Figures.ms(recorded.response().percentile(50)))
                + "  p99 " + withUnit(Figures.ms(recorded.response().percentile(99))) + "  errors "
                + Figures.count(errors);
    }

    private static String time(Duration since, Duration planned) {
        long elapsed = since.toSeconds();
        if (planned.isZero()) {
            return elapsed + "s";
        }
        long left = planned.toSeconds() - elapsed;
        return elapsed + "s, " + (left > 0 ? left + "s left" : "waiting for the last answers");
    }

    private static String rate(Progress progress) {
        Recorded recorded = progress.recorded();
        if (progress.planned().isZero()) {
            return Figures.rate(recorded.tps()) + "/s";
        }
        double warmUp = progress.planned().toNanos() / 1e9 - recorded.windowSeconds();
        double measured = Math.min(progress.elapsed().toNanos() / 1e9 - warmUp, recorded.windowSeconds());
        return measured <= 0 ? "warming up" : Figures.rate(recorded.tps() * recorded.windowSeconds() / measured) + "/s";
    }

    private static String withUnit(String ms) {
        return ms.equals(Figures.NOT_KNOWN) ? ms : ms + " ms";
    }

    /** For instance {@code 12s, 18s left  sent 1,200,000  right 1,199,990  waiting or lost 10}. */
    public static String line(DatagramProgress progress) {
        return time(progress.elapsed(), progress.planned()) + "  sent " + Figures.count(progress.sent()) + "  right "
                + Figures.count(progress.right()) + "  waiting or lost " + Figures.count(progress.waiting())
                + (progress.shed() > 0 ? "  not sent in time " + Figures.count(progress.shed()) : "");
    }
}
