package dev.penstock.lab.datagram;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Looks for the highest level, a rate or the size of a burst, at which no more than a given share is lost: a level to try comes
 * out, what was seen there goes in. It sends nothing itself.
 *
 * <pre>{@code
 * LossSearch search = LossSearch.from(20_000).most(500_000).allowing(0.001);
 * search.run(rate -> { try (var port = ...) { return DatagramLoad.of(Cadence.steady(rate)).lasting(SECOND).run(port); } });
 * search.highest();
 * }</pre>
 *
 * <p>From the first level it goes up by half as much again while all is well (down, when the first is too much), then halves
 * what is between the highest that was well and the lowest that was not, in ratios, until they are close. A level counts when two
 * trials say the same, of three at most, because one stall of the machine must not decide. A trial in which the sender could not
 * keep its own rate says nothing of the other side: two of those, and the level is the sender's bound.
 *
 * <p>Short trials may be well by luck. With {@link #confirming} the highest level has to pass a longer trial too. A level that
 * fails {@value #TRIES} of those is lowered, by more each few levels, until one passes.
 *
 * <p>For one thread.
 */
public final class LossSearch {
    /** What one trial said. */
    public enum Seen {
        /** No more was lost than is allowed. */
        WELL,
        /** More was lost. */
        LOSSY,
        /** The sender could not send at that level. */
        NOT_SENT
    }

    /**
     * One trial.
     *
     * @param level that was tried
     * @param seen what it said
     */
    public record Trial(double level, Seen seen) {}

    /** Makes a trial. */
    @FunctionalInterface
    public interface Trying {
        /**
         * Sends at a level, best through a port of its own, so that nothing that comes late is taken for the next one's.
         *
         * @param level what to try
         * @return what came of it
         */
        DatagramResult at(double level) throws IOException, InterruptedException;
    }

    private static final double STEP = 1.5;
    private static final int AGREEING = 2;

    /** How many longer trials a level gets; one that passes confirms it. */
    private static final int TRIES = 2;

    private static final double LOWERED_BY = 0.03;
    private static final int DOUBLED_EVERY = 4;
    private static final double LOWERED_BY_AT_MOST = 0.5;

    private final double start;
    private double most = Cadence.MOST_PER_SECOND;
    private double least = 1;
    private double share;
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
     * @param level to try first, 1 or more
     */
    public static LossSearch from(double level) {
        if (!(level >= 1)) {
            throw new IllegalArgumentException("a search begins at 1 or more, not " + level);
        }
        return new LossSearch(level);
    }

    /** The highest level that is tried, not less than the first. Default 10,000,000. */
    public LossSearch most(double highest) {
        if (!(highest >= start)) {
            throw new IllegalArgumentException("the highest level is not below the first of " + start);
        }
        most = highest;
        return this;
    }

    /** The share of datagrams that may be lost, 0 (the default) to 1. */
    public LossSearch allowing(double mayBeLost) {
        share = mayBeLost;
        return this;
    }

    /** How close it ends: a share of the level, default 0.05. */
    public LossSearch within(double ofTheLevel) {
        closeness = ofTheLevel;
        return this;
    }

    /** Takes a level as the highest only when a longer trial passes there too; see {@link #isConfirming}. Default: not. */
    public LossSearch confirming() {
        confirms = true;
        return this;
    }

    /** Whether the trial at the level that {@link #next} gives has to be a longer one, which confirms it. */
    public boolean isConfirming() {
        return confirming && !found;
    }

    /** The level to try next; empty when the search is over. */
    public OptionalDouble next() {
        return found ? OptionalDouble.empty() : OptionalDouble.of(level);
    }

    /** Tells what came of the level that {@link #next} gave. */
    public void saw(DatagramResult result) {
        saw(result.notKept() != null ? Seen.NOT_SENT : result.lost() > share * result.sent() ? Seen.LOSSY : Seen.WELL);
    }

    /** Tells what was seen at the level that {@link #next} gave. */
    public void saw(Seen seen) {
        trials.add(new Trial(level, seen));
        votes.add(seen);
        if (confirming) {
            confirm(seen);
        } else if (Collections.frequency(votes, seen) == AGREEING) {
            decide(seen);
        } else if (votes.size() > AGREEING) {
            decide(Seen.LOSSY); // each of the three said something else
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
     * Tries until it is over.
     *
     * @return this
     */
    public LossSearch run(Trying trying) throws IOException, InterruptedException {
        for (OptionalDouble next = next(); next.isPresent(); next = next()) {
            saw(trying.at(next.getAsDouble()));
        }
        return this;
    }

    /**
     * The highest level at which all was well, as far as is known; 0 when there is none. With {@link #confirming} only the one
     * that was confirmed.
     */
    public double highest() {
        return confirms && !found ? 0 : well;
    }

    /** The lowest level at which it was not; empty when all that were tried were well. */
    public OptionalDouble lowestTooMuch() {
        return Double.isInfinite(tooMuch) ? OptionalDouble.empty() : OptionalDouble.of(tooMuch);
    }

    /** Why it goes no higher: {@code WELL} when the highest level was reached. */
    public Seen bound() {
        return bound;
    }

    /** All trials, in order. */
    public List<Trial> trials() {
        return List.copyOf(trials);
    }
}
