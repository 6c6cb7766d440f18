package dev.penstock.meter;

import dev.penstock.Busy;
import dev.penstock.Failed;
import dev.penstock.StageReport;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the attempts of a flow and measures their times. A transaction has one attempt, or more with retries, or none; with
 * collapsing an attempt is for many transactions.
 *
 * <p>Thread-safe.
 */
public final class AttemptMeter {
    /** A logger of its own, so that the logging of answers can be configured. */
    private static final Logger LOG = LoggerFactory.getLogger("penstock.answers");

    private static final int STARTED = 0;
    private static final int ANSWERED = 1;
    private static final int UNANSWERED = 2;
    private static final int ANSWERED_NANOS = 3;
    private static final int FIRST_TIME = 4;

    private final Ticker ticker;
    private final String flow;
    private final AnswerStatuses statuses;
    private final StripedCounters counts = new StripedCounters(FIRST_TIME + TimeBuckets.SLOTS);
    private final RecentWindow recentlyStarted;
    private final LongAdder connectFailures = new LongAdder();
    private volatile @Nullable ConnectFailure lastConnectFailure;

    /**
     * The last attempt that could not connect.
     *
     * @param ending its ending, with the reason
     * @param at its time, as a reading of the ticker
     */
    public record ConnectFailure(Failed ending, long at) {}

    /**
     * An attempt meter without counts.
     *
     * @param ticker the clock of the flow
     * @param flow the name of the flow: log lines begin with it
     */
    public AttemptMeter(Ticker ticker, String flow) {
        this.ticker = ticker;
        this.flow = flow;
        this.statuses = new AnswerStatuses(ticker.nanos());
        this.recentlyStarted = new RecentWindow(Duration.ofSeconds(10), ticker.nanos(), this::started);
    }

    void started(long now) {
        recentlyStarted.advance(now);
        counts.add(STARTED);
    }

    void answered(long nanos) {
        counts.addAll(ANSWERED, FIRST_TIME + TimeBuckets.slot(nanos), ANSWERED_NANOS, nanos);
    }

    void unanswered(long nanos) {
        counts.addAll(UNANSWERED, FIRST_TIME + TimeBuckets.slot(nanos));
    }

    void noteStatus(@Nullable Object answer, long now) {
        if (answer instanceof Busy) {
            log(statuses.count(answer, now));
        }
    }

    private void log(List<String> lines) {
        lines.forEach(line -> LOG.warn("{}: {}", flow, line));
    }

    /** The number of answers of the target by status, 100 to 599; only those that occurred. */
    public Map<Integer, Long> answersByStatus() {
        return statuses.counts();
    }

    /** A sentence for each class of errors ({@code 4xx}, {@code 5xx}) that is more frequent than usual; empty when none is. */
    public Map<String, String> frequentErrors() {
        logChanges();
        return statuses.errors();
    }

    /** Logs the errors that have become more frequent and were not logged yet. */
    public void logChanges() {
        log(statuses.check(ticker.nanos()));
    }

    void noteConnectFailure(Unanswered ending, long now) {
        if (ending instanceof Failed failed && failed.why() == Failed.Cause.CONNECT && !failed.isOwnFault()) {
            connectFailures.increment();
            lastConnectFailure = new ConnectFailure(failed, now);
        }
    }

    /** The number of attempts sent to the target. */
    public long started() {
        return counts.sum(STARTED);
    }

    /** The number of attempts that could not connect to the target. */
    public long connectFailures() {
        return connectFailures.sum();
    }

    /** The last connect failure; null when there was none. */
    public @Nullable ConnectFailure lastConnectFailure() {
        return lastConnectFailure;
    }

    /** The number of attempts answered by the target. */
    public long answered() {
        return counts.sum(ANSWERED);
    }

    /** The total time of answered attempts, in nanoseconds. It may overflow: use differences only. */
    public long answeredNanos() {
        return counts.sum(ANSWERED_NANOS);
    }

    /** The number of attempts in flight. */
    public long inFlight() {
        // Ended first: an attempt that ends in between still counts as in flight, so the result is never negative.
        long ended = answered() + counts.sum(UNANSWERED);
        return started() - ended;
    }

    /**
     * The attempts.
     *
     * @param capacity the maximum number in flight; 0 when unlimited
     * @param late what became of attempts that exceeded their deadline; empty when there were none
     */
    public StageReport report(long capacity, String late) {
        long now = inFlight();
        long attempts = started();
        return new StageReport(
                "target",
                attempts,
                recentlyStarted.perSecond(ticker.nanos()),
                now,
                capacity,
                "%d attempts, %d in flight%s".formatted(attempts, now, late),
                Timings.of(counts, FIRST_TIME));
    }
}
