package dev.penstock.limit;

import org.jspecify.annotations.Nullable;

/** How many calls come, are in flight and are answered. Not thread-safe. */
final class Traffic {
    private static final long SECOND = 1_000_000_000;

    private final Turn.Totals totals;
    private long lastNow;
    private double area;
    private double elapsed;
    private int inFlight;
    private long answersBefore;
    private double answers;
    private double arrivals;
    private long arrivedEarlier;
    private long arrivedBefore;
    private long arrivalsAt;
    private long blockedBefore;
    private long lastBlocked;

    Traffic(Turn.Totals totals, long now) {
        this.totals = totals;
        this.lastNow = now;
        this.arrivalsAt = now;
        this.lastBlocked = now;
    }

    void measure(long now, int inFlight, Turn turn) {
        this.inFlight = inFlight;
        double stretch = now - lastNow;
        if (stretch > 0) {
            area += inFlight * stretch;
            elapsed += stretch;
            double kept = Math.exp(-2 * stretch / SECOND);
            long answered = totals.answered();
            answers = kept * answers + (1 - kept) * (answered - answersBefore) / stretch;
            answersBefore = answered;
            lastNow = now;
        }
        long arrived = arrivedEarlier + turn.arrived();
        if (now - arrivalsAt > (arrivals == 0 ? SECOND / 10 : SECOND)) {
            double current = (arrived - arrivedBefore) / (double) (now - arrivalsAt);
            arrivals = arrivals == 0 ? current : (arrivals + current) / 2;
            arrivedBefore = arrived;
            arrivalsAt = now;
        }
        long blocked = totals.blocked();
        lastBlocked = blocked > blockedBefore ? now : lastBlocked;
        blockedBefore = blocked;
    }

    /** A turn has ended, and another begins. */
    void turned(@Nullable Turn last) {
        arrivedEarlier += last == null ? 0 : last.arrived();
        area = 0;
        elapsed = 0;
    }

    int inFlight() {
        return inFlight;
    }

    /** Since the turn began. */
    double meanInFlight() {
        return area / Math.max(1, elapsed);
    }

    /** Answers per nanosecond, over about half a second. */
    double answersPerNano() {
        return answers;
    }

    /** Requests per nanosecond, over some seconds, at most: one that waited counts again when it begins. */
    double arrivalsPerNano() {
        return arrivals;
    }

    /** When a request last found no permit free; or when this began. */
    long lastBlocked() {
        return lastBlocked;
    }
}
