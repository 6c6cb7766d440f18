package dev.penstock.lab.load;

import dev.penstock.Durations;
import dev.penstock.Ticker;

/**
 * Starts transactions when they are due, whether or not earlier ones have ended: as real callers do, who know nothing of
 * each other. Times count from when a transaction was due.
 *
 * <pre>{@code
 * LoadResult result = OpenLoad.at(Arrivals.constant(200)).lasting(Duration.ofSeconds(30)).run(payments, this::request);
 * }</pre>
 *
 * <p>One platform thread paces it: it parks until 100 us before a transaction is due and spins for the rest, so above about
 * 10,000 transactions a second it keeps one core busy. Each transaction runs on a virtual thread of its own.
 */
public final class OpenLoad extends Load<OpenLoad> {
    /** The default for {@link #maxInFlight}. */
    public static final int MAX_IN_FLIGHT = 10_000;

    private final Arrivals arrivals;
    private int maxInFlight = MAX_IN_FLIGHT;

    private OpenLoad(Arrivals arrivals) {
        this.arrivals = arrivals;
    }

    /** A load with these arrivals: constant or at random, at a flat rate or one of any {@link Shape}. */
    public static OpenLoad at(Arrivals arrivals) {
        return new OpenLoad(arrivals);
    }

    /** How many transactions may be in flight; one that is due beyond it is shed, and counted as that. Default 10,000. */
    public OpenLoad maxInFlight(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("at least 1 transaction has to be allowed in flight, not " + most);
        }
        maxInFlight = most;
        return this;
    }

    @Override
    OpenLoad self() {
        return this;
    }

    @Override
    boolean steady() {
        return arrivals.shape().isFlat(Durations.nanos(warmUp), lastingNanos());
    }

    @Override
    void drive(LoadRun<?, ?> run) {
        Thread.ofPlatform().name("penstock-pacer").daemon().start(() -> {
            try {
                pace(run);
            } finally {
                run.noMoreStarts();
            }
        });
    }

    private void pace(LoadRun<?, ?> run) {
        Ticker clock = ticker;
        Pace pace = new Pace(arrivals, run.startAt(), lastingNanos(), count);
        while (!run.stopped()) {
            switch (pace.at(clock.nanos())) {
                case PARK -> clock.parkUntil(pace.wakeAt());
                case SPIN -> Thread.onSpinWait();
                case START -> {
                    run.start(pace.sequence(), pace.intended(), maxInFlight);
                    pace.taken();
                }
                case END -> {
                    return;
                }
            }
        }
    }

    @Override
    public String toString() {
        return "open load, " + arrivals + bounds();
    }
}
