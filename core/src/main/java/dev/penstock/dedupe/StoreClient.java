package dev.penstock.dedupe;

import dev.penstock.Durations;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import dev.penstock.dedupe.PendingWrites.Debt;
import dev.penstock.meter.Timings;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a ledger and tells it, and remembers what it could not be told.
 *
 * <h2>Design note</h2>
 *
 * <p>When the ledger cannot be asked, nothing is sent. Then nobody knows whether the key was granted all the same, so the owner's
 * number is remembered: the next one of the key here asks by the same number, and a key that was granted in vain is given
 * back with the next word to the ledger.
 *
 * <p>An ending is told within a time of its own, whatever time its transaction has left, and also on a thread that was
 * interrupted: it is known, and only has to be written down. The caller waits for that, so that who has an answer can rely
 * on it that the same key will get it again. When it cannot be written down, the caller has his answer all the same.
 *
 * <p>Safe for many threads.
 */
final class StoreClient {
    private static final Logger LOG = LoggerFactory.getLogger("penstock.keys");
    private static final long TELLING_NANOS = Durations.nanos(Duration.ofSeconds(5));

    private final IdempotencyStore ledger;
    private final Duration keep;
    private final Ticker ticker;
    private final DedupeCounter tally;
    private final Part part;
    private final PendingWrites pendingWrites = new PendingWrites();
    private final Timings timings = new Timings();

    StoreClient(IdempotencyStore ledger, Duration keep, Ticker ticker, DedupeCounter tally) {
        this.ledger = ledger;
        this.keep = keep;
        this.ticker = ticker;
        this.tally = tally;
        this.part = Supervisor.current().part("dedupe-store", ledger.where());
    }

    /** Asks for a key; what is not told for sure is not granted. */
    Claim claim(KeyRequest ask, CallContext callContext) throws Rejected {
        try {
            return timed(() -> ledger.claim(ask), callContext);
        } catch (Throwable cannot) {
            if (!(cannot instanceof Rejected)) {
                pendingWrites.owe(new Debt(ask.key(), ask.fingerprint(), ask.owner(), null));
            }
            throw turnedAway(cannot, callContext);
        }
    }

    /** How a key stands; null when nobody has it. */
    @Nullable
    Claim find(String key, CallContext callContext) throws Rejected {
        try {
            return ledger.find(key);
        } catch (Throwable cannot) {
            throw turnedAway(cannot, callContext);
        } finally {
            callContext.tick();
        }
    }

    /**
     * Asks for a key in place of its owner so far.
     *
     * @param doubt what stands of the key, and is to stand again if nobody hears whether it was granted
     * @return null when nobody knows whether it was granted
     */
    @Nullable
    Claim takeOver(KeyRequest ask, long before, byte[] doubt, CallContext callContext) {
        try {
            return timed(() -> ledger.takeOver(ask, before), callContext);
        } catch (Throwable cannot) {
            keepInterrupt(cannot);
            report(cannot);
            pendingWrites.owe(new Debt(ask.key(), ask.fingerprint(), ask.owner(), doubt));
            return null;
        }
    }

    private Claim timed(Callable<Claim> question, CallContext callContext) throws Exception {
        long start = ticker.nanos();
        try {
            return question.call();
        } finally {
            timings.record(callContext.tick() - start);
        }
    }

    private Rejected turnedAway(Throwable cannot, CallContext callContext) {
        keepInterrupt(cannot);
        report(cannot);
        if (Thread.currentThread().isInterrupted()) {
            return new Rejected(
                    Rejected.Cause.QUEUE, "the caller was interrupted while its key was asked for; nothing was sent");
        }
        boolean late = cannot instanceof Rejected rejected && rejected.why() == Rejected.Cause.DEADLINE;
        if (late || callContext.timeLeft() <= 0) {
            return new Rejected(Rejected.Cause.DEADLINE, "the time was up before its key was claimed");
        }
        tally.unavailable.increment();
        return new Rejected(
                Rejected.Cause.POOL,
                "the key could not be claimed in " + ledger.where() + " ("
                        + (cannot instanceof Error ? cannot : cannot.getMessage()) + "); nothing was sent",
                Duration.ofSeconds(1),
                cannot);
    }

    private static void keepInterrupt(Throwable cannot) {
        if (cannot instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is owed for a key, which the caller settles; null for nothing. */
    @Nullable
    Debt debt(String key) {
        return pendingWrites.take(key);
    }

    /** Tells what is to stand of a key, and something that is owed besides. What cannot be told is owed. */
    boolean tell(Debt news) {
        boolean told = tried(news);
        Debt other = told ? pendingWrites.takeAny() : null;
        if (other != null) {
            tried(other);
        }
        return told;
    }

    private boolean tried(Debt news) {
        boolean interrupted = Thread.interrupted();
        CallContext callContext = CallContext.begin(ticker);
        callContext.allow(TELLING_NANOS);
        try {
            byte[] ending = news.ending();
            if (ending == null) {
                ledger.release(news.key(), news.owner());
            } else {
                reportUnless(ledger.end(news.key(), news.owner(), ending, keep), news);
            }
            return true;
        } catch (Throwable cannot) { // an Error too: the ending is known, and would be lost with it
            report(cannot);
            interrupted |= cannot instanceof InterruptedException;
            tally.unwritten.increment();
            pendingWrites.owe(news);
            return false;
        } finally {
            callContext.end();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Callers have their endings in spite of an Error, so nobody else reports it. */
    private void report(Throwable cannot) {
        if (cannot instanceof Error) {
            part.failedOnce("what was to be written down is tried again later", cannot);
        }
    }

    /** Telling it again would not help: the key is another owner's, or its row is gone. */
    private void reportUnless(boolean written, Debt news) {
        if (!written) {
            tally.unwritten.increment();
            LOG.error(
                    "the ending of key {} is not written down in {}: its claim is gone, taken over by another process or removed;"
                            + " if nobody took it over, a repeat is sent again",
                    news.key(),
                    ledger.where());
        }
    }

    /** How long it took to claim a key, in nanoseconds. */
    Histogram times() {
        return timings.snapshot();
    }
}
