package dev.penstock.lab.load;

import dev.penstock.Ticker;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * Open model: starts transactions when they are due, whether or not earlier ones have ended, as independent callers do.
 * Latency is measured from the intended start, which avoids coordinated omission.
 *
 * <pre>{@code
 * LoadResult result = OpenLoad.at(Arrivals.constant(200)).lasting(Duration.ofSeconds(30)).run(payments, this::request);
 * }</pre>
 *
 * <p>One platform thread paces the load: it parks until at most 300 us before a transaction is due. Each transaction runs on
 * its own virtual thread, which spins until then, or is handed to an {@link Intake} by the pacing thread, which spins (see
 * {@link #offer}). Spinning takes at most a tenth of a core; nothing spins if the load is {@link #sparing}.
 */
public final class OpenLoad extends Load<OpenLoad> {
    /** The default of {@link #maxInFlight}. */
    public static final int MAX_IN_FLIGHT = 10_000;

    private final Arrivals arrivals;
    private int maxInFlight = MAX_IN_FLIGHT;
    private long grid;

    private OpenLoad(Arrivals arrivals) {
        this.arrivals = arrivals;
    }

    /** A load with these arrivals. */
    public static OpenLoad at(Arrivals arrivals) {
        return new OpenLoad(arrivals);
    }

    /**
     * The maximum number of transactions in flight; those due beyond it are shed and counted as such. Default 10,000.
     */
    public OpenLoad maxInFlight(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("the maximum in flight must be 1 or more, not " + most);
        }
        maxInFlight = most;
        return this;
    }

    /**
     * Saves CPU at the cost of punctuality: never spins, and wakes at most once per interval to start everything due
     * since. For a load that shares its cores with the system under test. Latency is still measured from the intended
     * start. Default: as punctual as possible.
     *
     * @param every above 0; starts are delayed by up to this time
     */
    public OpenLoad sparing(Duration every) {
        grid = Durations.nanos(Ranges.positive("the time between wake-ups", every));
        return this;
    }

    /**
     * Runs the load, handing each transaction to an intake on the pacing thread, and waits for the end. An immediate
     * decision of the intake therefore does not queue behind other work; a slow one delays all later transactions.
     *
     * @param intake the intake under load
     * @param requests makes the request of a number, from 0
     * @param right whether an answer is correct; a wrong answer counts as an error
     * @return the measurements; service time starts at the hand-over
     * @throws InterruptedException when the calling thread is interrupted; the load ends
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
            leastTimerSlack();
            try {
                pace(run);
            } finally {
                run.noMoreStarts();
            }
        });
    }

    /**
     * Linux wakes a thread up to 50 us late by default, to wake several at once. See proc_pid_timerslack_ns(5); elsewhere
     * the thread stays as late as it is.
     */
    private static void leastTimerSlack() {
        try {
            Path thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
            Files.writeString(Path.of("/proc").resolve(thread).resolve("timerslack_ns"), "1");
        } catch (IOException | UnsupportedOperationException e) {
            // Not Linux, or not permitted.
        }
    }

    private void pace(LoadRun<?, ?> run) {
        Ticker clock = ticker;
        Pace pace = new Pace(arrivals, run.startAt(), lastingNanos(), count, grid, run.handsOver());
        while (!run.stopped()) {
            switch (pace.at(clock.nanos())) {
                case PARK -> clock.parkUntil(pace.wakeAt());
                case SPIN -> Thread.onSpinWait();
                case START -> {
                    run.start(pace.sequence(), pace.intended(), maxInFlight);
                    pace.advance();
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
