package dev.penstock.lab.load;

import dev.penstock.Durations;
import dev.penstock.Ticker;
import dev.penstock.lab.measure.LoadResult;
import java.time.Duration;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * Starts transactions when they are due, whether or not earlier ones have ended: as real callers do, who know nothing of
 * each other. Times count from when a transaction was due.
 *
 * <pre>{@code
 * LoadResult result = OpenLoad.at(Arrivals.constant(200)).lasting(Duration.ofSeconds(30)).run(payments, this::request);
 * }</pre>
 *
 * <p>One platform thread paces it: it parks until 100 us before a transaction is due and spins for the rest, so above about
 * 10,000 transactions a second it keeps one core busy, unless it is {@link #sparing}. Each transaction runs on a virtual thread
 * of its own, or is handed to an {@link Intake}, see {@link #offer}.
 */
public final class OpenLoad extends Load<OpenLoad> {
    /** The default for {@link #maxInFlight}. */
    public static final int MAX_IN_FLIGHT = 10_000;

    private final Arrivals arrivals;
    private int maxInFlight = MAX_IN_FLIGHT;
    private long grid;

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

    /**
     * Spends next to no CPU on being punctual: it never spins, and wakes at most once in this time, to start all that came due
     * since. For a load that shares the cores with what it loads. Times still count from when a transaction was due. Default: it
     * is as punctual as it can.
     *
     * @param every above 0; what is due starts up to this much later
     */
    public OpenLoad sparing(Duration every) {
        grid = Durations.nanos(positive("time between wake-ups", every));
        return this;
    }

    /**
     * Runs it, handing each transaction to an intake on the thread that paces, and waits until it is over. So an intake that
     * decides at once is not behind those at work when it does; one that takes its time delays all that are due after.
     *
     * @param intake what is loaded
     * @param requests makes the request with a number, from 0 on
     * @param right whether an answer is the one it had to be; a wrong one counts as an error
     * @return what was measured; the service time counts from the hand-over
     * @throws InterruptedException when the calling thread was interrupted; the load is over then too
     * @throws IllegalArgumentException as {@link #run}
     * @throws IllegalStateException as {@link #run}
     */
    public <Q, R> LoadResult offer(Intake<Q, R> intake, LongFunction<? extends Q> requests, Predicate<? super R> right)
            throws InterruptedException {
        checkBounds();
        return new LoadRun<Q, R>(this, intake, intake, requests, AnswerJudge.of(right)).result();
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
        Pace pace = new Pace(arrivals, run.startAt(), lastingNanos(), count, grid);
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
