package dev.penstock.limit;

/**
 * How long calls are at the target, as an average that follows what is measured. Pure: samples go in, estimates come out.
 *
 * <h2>Design note</h2>
 *
 * <p>Two averages, for they answer two questions. How long does an answer take: that is of the answered alone, and what a
 * deadline is held against. How long is a permit held: that is of the dropped too, for a call that runs into its timeout
 * holds its permit for as long, and by Little's law permits / time held = permits that come free each second.
 *
 * <p>An average is exponentially weighted. A stretch of n attempts weighs n / (n + {@value #MEMORY}), or t / (t + the
 * average) when the last one is t ago, for what is long past tells little; at most {@value #MOST}, so
 * that one burst is not all; and as in a plain average while there are few. What it adds is held within a factor of
 * {@value #STRAY} of the estimate: so one stray attempt of a trickle can at worst not even double it, while a change that
 * lasts is followed within some ten stretches, whatever its size.
 *
 * <p>Where many threads share few processors, calls begin and end in bunches, and for a moment far more may come back than
 * by and by. So a permit is taken to be held for no shorter than in flight / rate (Little's law) over the last second: a line
 * that is too long is told so late.
 *
 * <p>Not safe for many threads.
 */
final class ServiceTime {
    static final double MEMORY = 20;
    static final double MOST = 0.25;
    static final double STRAY = 4;

    private static final double FADING_NANOS = 1e9;
    private static final double ENOUGH = 20;

    private double answer;
    private double hold;
    private double inFlight;
    private double out;
    private double back;
    private long answersSeen;
    private long seen;
    private long last;

    /** Takes a stretch of load into account. */
    void sample(LoadSample sample) {
        long finished = sample.answered() + sample.dropped();
        if (finished == 0) {
            return;
        }
        littlesLaw(sample, finished);
        long gap = seen == 0 ? 0 : sample.to() - last;
        if (sample.answered() > 0) {
            double mean = (double) sample.answeredNanos() / sample.answered();
            answer = blend(answer, mean, weight(sample.answered(), answersSeen, gap, answer));
            answersSeen += sample.answered();
        }
        double weight = weight(finished, seen, gap, hold);
        double held = (double) sample.heldNanos() / finished;
        hold = blend(hold, held, weight);
        inFlight += (sample.inFlight() - inFlight) * weight;
        seen += finished;
        last = sample.to();
    }

    /** Adds to the time for which permits were out, and to how many came back in it, both fading over about a second. */
    private void littlesLaw(LoadSample sample, long finished) {
        double nanos = sample.to() - sample.from();
        double kept = FADING_NANOS / (FADING_NANOS + nanos);
        out = kept * out + sample.inFlight() * nanos;
        back = kept * back + finished;
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

    /** How long an answer takes, in nanoseconds; 0 while nothing was answered. */
    long answerNanos() {
        return Math.round(answer);
    }

    /** How long a permit is held, in nanoseconds; 0 while nothing has finished. */
    long holdNanos() {
        return back < ENOUGH ? Math.round(hold) : Math.round(Math.max(hold, out / back));
    }

    /** How many calls were at the target while this was measured. */
    int inFlight() {
        return (int) Math.round(inFlight);
    }
}
