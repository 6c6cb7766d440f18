package dev.penstock.limit;

import dev.penstock.limit.LoadSamples.Sample;

/**
 * Moving averages of the time that calls take at the target. Stateful, without side effects.
 *
 * <h2>Design note</h2>
 *
 * <p>There are two averages. The answer time covers answered calls only and is compared with deadlines. The hold time covers
 * dropped calls too, since a call that times out holds its permit until then; by Little's law permits / hold time permits
 * become free each second.
 *
 * <p>A sample of n attempts has the weight n / (n + {@value #MEMORY}), or t / (t + the average) when the last sample is t ago,
 * since old samples say little. The weight is at most {@value #MOST}, so that one burst does not dominate; while there are few
 * samples it is that of a plain average. A sample is clamped to a factor of {@value #STRAY} of the estimate: a single outlier at
 * low load cannot even double it, while a lasting change of any size is followed within about ten samples.
 *
 * <p>Where many threads share few processors, calls begin and end in bunches, and for a moment the rate is far above the
 * average. So the hold time is at least in flight / rate (Little's law) over the last second: a hold time that is too short
 * would make the queue too long, and its requests would be rejected late. Not thread-safe.
 */
final class ServiceTime {
    static final double MEMORY = 20;
    static final double MOST = 0.25;
    static final double STRAY = 4;

    private static final double DECAY_NANOS = 1e9;
    private static final double MIN_RELEASED = 20;

    private double answer;
    private double hold;
    private double inFlight;
    private int lastInFlight;
    private double heldNanos;
    private double released;
    private long answersSeen;
    private long seen;
    private long last;

    /** Takes a sample into account. */
    void sample(Sample sample) {
        long finished = sample.finished();
        if (finished == 0) {
            return;
        }
        updateLittlesLaw(sample, finished);
        long gap = seen == 0 ? 0 : sample.to() - last;
        if (sample.answered() > 0) {
            double mean = (double) sample.answeredNanos() / sample.answered();
            answer = blend(answer, mean, weight(sample.answered(), answersSeen, gap, answer));
            answersSeen += sample.answered();
        }
        double weight = weight(finished, seen, gap, hold);
        hold = blend(hold, (double) sample.finishedNanos() / finished, weight);
        inFlight += (sample.inFlight() - inFlight) * weight;
        seen += finished;
        last = sample.to();
    }

    /** Adds to the time that permits were held and to the number released, both decaying over about a second. */
    private void updateLittlesLaw(Sample sample, long finished) {
        double nanos = sample.to() - sample.from();
        double decay = DECAY_NANOS / (DECAY_NANOS + nanos);
        // The lower of both ends: after a quiet time the end of a sample may be the begin of a burst.
        heldNanos = decay * heldNanos + Math.min(lastInFlight, sample.inFlight()) * nanos;
        released = decay * released + finished;
        lastInFlight = sample.inFlight();
    }

    private static double weight(long count, long before, long gap, double average) {
        if (before == 0) {
            return 1;
        }
        double byCount = count / (count + MEMORY);
        double byTime = gap / (gap + average);
        double plain = (double) count / (count + before);
        return Math.max(plain, Math.min(MOST, Math.max(byCount, byTime)));
    }

    private static double blend(double average, double value, double weight) {
        double held = average == 0 ? value : Math.clamp(value, average / STRAY, average * STRAY);
        return Math.max(1, average + (held - average) * weight);
    }

    /** The time of an answer, in nanoseconds; 0 while nothing was answered. */
    long answerNanos() {
        return Math.round(answer);
    }

    /** The time that a permit is held, in nanoseconds; 0 while no call has finished. */
    long holdNanos() {
        return released < MIN_RELEASED ? Math.round(hold) : Math.round(Math.max(hold, heldNanos / released));
    }

    /** The number of calls in flight during the measurement. */
    int inFlight() {
        return (int) Math.round(inFlight);
    }
}
