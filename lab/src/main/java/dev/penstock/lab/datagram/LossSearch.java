package dev.penstock.lab.datagram;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Searches for the highest level (a rate or a burst size) without loss. Input: results of trials;
 * output: the next level. Sends nothing itself.
 *
 * <pre>{@code
 * LossSearch search = LossSearch.from(20_000).most(500_000);
 * search.run(rate -> {
 *     try (var port = ...) {
 *         return DatagramLoad.of(Cadence.steady(rate)).lasting(SECOND).run(port);
 *     }
 * });
 * search.highest();
 * }</pre>
 *
 * <p>From the first level, the level grows by half while there is no loss (or shrinks, when the first level has loss).
 * Then the interval between the highest level without loss and the lowest with loss is bisected geometrically until the
 * two are close. A level is decided by two equal results of at most three trials, because a single stall of the machine
 * must not decide. A trial in which the sender could not keep its own rate does not measure the peer: after two of
 * those, the level is the sender's limit.
 *
 * <p>Short trials may be lossless by chance. With {@link #confirming}, the highest level must also pass a longer trial.
 * A level that fails {@value #TRIES} of those is lowered, by more after every few failures, until one passes.
 *
 * <p>For one thread.
 */
public final class LossSearch {
    /** The result of one trial. */
    public enum Seen {
        /** Nothing was lost. */
        WELL,
        /** The loss was larger. */
        LOSSY,
        /** The sender could not keep this level. */
        NOT_SENT
    }

    /**
     * One trial.
     *
     * @param level the level
     * @param seen its result
     */
    public record Trial(double level, Seen seen) {}

    /** Runs a trial. */
    @FunctionalInterface
    public interface Trying {
        /**
         * Sends at a level, preferably through a new port, so that late answers do not count for the next trial.
         *
         * @param level the level
         * @return the measurements
         */
        DatagramResult at(double level) throws IOException, InterruptedException;
    }

    private static final double STEP = 1.5;
    private static final int AGREEING = 2;

    /** The number of longer trials per level; one that passes confirms the level. */
    private static final int TRIES = 2;

    private static final double LOWERED_BY = 0.03;
    private static final int DOUBLED_EVERY = 4;
    private static final double LOWERED_BY_AT_MOST = 0.5;

    private final double start;
    private double most = Cadence.MAX_PER_SECOND;
    private double least = 1;
    private double closeness = 0.05;
    private double level;
    private double well;
    private double tooMuch = Double.POSITIVE_INFINITY;
    private Seen bound = Seen.WELL;
    private boolean confirms;
    private boolean confirming;
    private int unconfirmed;
    private boolean found;
    private final List<Seen> votes = new ArrayList<>();
    private final List<Trial> trials = new ArrayList<>();

    private LossSearch(double start) {
        this.start = start;
        this.level = start;
    }

    /**
     * A search.
     *
     * @param level the first level, 1 or more
     */
    public static LossSearch from(double level) {
        if (!(level >= 1)) {
            throw new IllegalArgumentException("the first level must be 1 or more, not " + level);
        }
        return new LossSearch(level);
    }

    /** The maximum level, at least the first one. Default 10,000,000. */
    public LossSearch most(double highest) {
        if (!(highest >= start)) {
            throw new IllegalArgumentException("the maximum level must be at least the first level, " + start);
        }
        most = highest;
        return this;
    }

    /** The precision: a share of the level, default 0.05. */
    public LossSearch within(double ofTheLevel) {
        closeness = ofTheLevel;
        return this;
    }

    /** Requires that a longer trial confirms the highest level; see {@link #isConfirming}. Default: no. */
    public LossSearch confirming() {
        confirms = true;
        return this;
    }

    /** Whether the trial at the level returned by {@link #next} has to be a longer, confirming one. */
    public boolean isConfirming() {
        return confirming && !found;
    }

    /** The next level to try; empty when the search is over. */
    public OptionalDouble next() {
        return found ? OptionalDouble.empty() : OptionalDouble.of(level);
    }

    /** Records the result of a trial at the level returned by {@link #next}. */
    public void record(DatagramResult result) {
        record(result.senderProblem() != null ? Seen.NOT_SENT : result.lost() > 0 ? Seen.LOSSY : Seen.WELL);
    }

    /** Records the result of a trial at the level returned by {@link #next}. */
    public void record(Seen seen) {
        trials.add(new Trial(level, seen));
        votes.add(seen);
        if (confirming) {
            confirm(seen);
        } else if (Collections.frequency(votes, seen) == AGREEING) {
            decide(seen);
        } else if (votes.size() > AGREEING) {
            decide(Seen.LOSSY); // three different results
        }
    }

    private void decide(Seen seen) {
        votes.clear();
        if (seen == Seen.WELL) {
            well = level;
        } else {
            tooMuch = level;
            bound = seen;
        }
        go();
    }

    private void confirm(Seen seen) {
        if (seen == Seen.WELL) {
            well = level;
            found = true;
        } else if (votes.size() == TRIES) {
            votes.clear();
            tooMuch = level;
            bound = seen;
            level *= 1 - Math.min(LOWERED_BY_AT_MOST, LOWERED_BY * (1 << (unconfirmed / DOUBLED_EVERY)));
            unconfirmed++;
            if (level < least) {
                well = 0;
                found = true;
            }
        }
    }

    private void go() {
        if (well >= most || tooMuch <= least || tooMuch <= well * (1 + closeness) || tooMuch - well <= 1) {
            confirming = confirms && well > 0;
            found = !confirming;
            level = confirming ? well : level;
        } else if (Double.isInfinite(tooMuch)) {
            level = Math.min(most, well * STEP);
        } else if (well == 0) {
            level = Math.max(least, tooMuch / (2 * STEP));
        } else {
            level = Math.sqrt(well * tooMuch);
        }
    }

    /**
     * Runs trials until the search is over.
     *
     * @return this
     */
    public LossSearch run(Trying trying) throws IOException, InterruptedException {
        for (OptionalDouble next = next(); next.isPresent(); next = next()) {
            record(trying.at(next.getAsDouble()));
        }
        return this;
    }

    /**
     * The highest level without loss so far; 0 when there is none. With {@link #confirming}, only the confirmed level.
     */
    public double highest() {
        return confirms && !found ? 0 : well;
    }

    /** The lowest level with loss; empty when there was none. */
    public OptionalDouble lowestTooMuch() {
        return Double.isInfinite(tooMuch) ? OptionalDouble.empty() : OptionalDouble.of(tooMuch);
    }

    /** Why the search went no higher: {@code WELL} when the highest level was reached. */
    public Seen bound() {
        return bound;
    }

    /** All trials, in order. */
    public List<Trial> trials() {
        return List.copyOf(trials);
    }
}
