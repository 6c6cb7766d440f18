package dev.penstock.collapse;

import dev.penstock.Failed;
import dev.penstock.ReadOnly;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.CallContext;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.collapse.CollapseSettings.Halving;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * Takes batches that have left to the target, and endings back to the callers. Whatever happens, everybody in a batch gets
 * one.
 *
 * <h2>Design note</h2>
 *
 * <p>A batch that the target refuses as a whole, or undoes, has taken no effect, so it may be sent again; and perhaps only
 * one of its requests is to blame. The same holds for a batch that only reads, whatever a mistaken target
 * threw. So its halves are sent, at the same time, until that one is alone. What became of a half that is not sent any more,
 * for want of a permit, is what became of the whole.
 *
 * <p>Safe for many threads.
 */
final class BatchSender<Q, R> {
    /** How often a batch asks for a permit anew, because others have joined who have more time. */
    private static final int MOST_TURNS = 3;

    private final Service<Batch<Q, R>, BatchEndings<R>> next;
    private final Halving halving;
    private final CallTime callTime;
    private final BatchCounter tally;
    private final Ticker ticker;
    private final ThreadFactory threads;

    /**
     * A carrier.
     *
     * @param next takes a batch, through breaker and limit, to its {@link BatchDispatch}
     * @param halving which batches to send in halves
     * @param callTime tells what is hopeless
     * @param threads one for each batch, and for each half that goes apart
     */
    BatchSender(
            Service<Batch<Q, R>, BatchEndings<R>> next,
            Halving halving,
            CallTime callTime,
            BatchCounter tally,
            Ticker ticker,
            ThreadFactory threads) {
        this.next = next;
        this.halving = halving;
        this.callTime = callTime;
        this.tally = tally;
        this.ticker = ticker;
        this.threads = threads;
    }

    /** Takes a batch to the target on a thread of its own. */
    void sendApart(Batch<Q, R> batch, SendReason why) {
        batch.leftBy(why);
        start(batch, this::send);
    }

    /** Does some work for a batch on a thread of its own. When it cannot, or fails before it sends, all of the batch end. */
    void start(Batch<Q, R> batch, Consumer<Batch<Q, R>> work) {
        try {
            threads.newThread(() -> {
                        try {
                            work.accept(batch);
                        } catch (Throwable broken) {
                            end(batch, batch.isSealed() ? unknown(broken) : neverSent(broken));
                            throw broken;
                        }
                    })
                    .start();
        } catch (Throwable broken) {
            end(batch, neverSent(broken));
        }
    }

    /** Takes a batch to the target, and its endings to the callers. */
    void send(Batch<Q, R> batch) {
        boolean again = true;
        for (int turn = 0; again; turn++) {
            CallContext callContext = CallContext.begin(ticker);
            long allowed = batch.longestLeft(callContext.now());
            try {
                callContext.allow(allowed);
                BatchEndings<R> endings = next.call(batch);
                sealed(batch).end(endings, batch);
                again = false;
            } catch (Rejected ending) {
                again = turn < MOST_TURNS && hasMoreTimeNow(batch, ending, callContext);
                if (!again) {
                    end(batch, ending);
                }
            } catch (Unanswered ending) {
                unanswered(batch, ending);
                again = false;
            } catch (Throwable unexpected) {
                unanswered(batch, batch.isSealed() ? unknown(unexpected) : neverSent(unexpected));
                again = false;
            } finally {
                callContext.end();
            }
        }
    }

    /** Whether others have joined since who can still be answered, though those who were in it cannot. */
    private boolean hasMoreTimeNow(Batch<Q, R> batch, Rejected ending, CallContext callContext) {
        return ending.why() == Rejected.Cause.DEADLINE
                && !batch.isSealed()
                && batch.longestLeft(callContext.now()) > callContext.timeLeft();
    }

    private void unanswered(Batch<Q, R> batch, Unanswered ending) {
        if (!batch.isSealed() || sealed(batch).size() < 2 || !isToBeHalved(batch, ending)) {
            end(batch, ending);
            return;
        }
        tally.halved();
        SealedBatch<Q, R> whole = sealed(batch);
        sendApart(Batch.half(whole.half(false), batch.batcher(), ending), batch.whyLeft());
        Batch<Q, R> first = Batch.half(whole.half(true), batch.batcher(), ending);
        first.leftBy(batch.whyLeft());
        send(first);
    }

    private boolean isToBeHalved(Batch<Q, R> batch, Unanswered ending) {
        return halving != Halving.NONE
                && switch (ending) {
                    case Failed failed -> failed.why() == Failed.Cause.UNDONE || failed.why() == Failed.Cause.REFUSED;
                    case Unknown mistake
                    when mistake.why() == Unknown.Cause.ERROR || mistake.why() == Unknown.Cause.GARBLED ->
                        halving == Halving.MISTAKEN
                                || sealed(batch).requests().stream().allMatch(ReadOnly::is);
                    case Unknown unknown -> false;
                    case Rejected rejected -> false;
                };
    }

    /** Gives all of a batch the same ending, sent or not. */
    private void end(Batch<Q, R> batch, Unanswered ending) {
        Unanswered last = batch.ending(ending);
        if (batch.isSealed()) {
            sealed(batch).end(last);
        } else {
            batch.turnAway(last);
            batch.batcher().withdraw(batch);
        }
    }

    private SealedBatch<Q, R> sealed(Batch<Q, R> batch) {
        return batch.seal(ticker.nanos(), callTime);
    }

    private static Failed neverSent(Throwable broken) {
        return new Failed(Failed.Cause.UNDONE, "nothing of its batch was sent, as its thread threw " + broken, broken);
    }

    private static Unknown unknown(Throwable unexpected) {
        return new Unknown(
                Unknown.Cause.ERROR,
                "the target threw " + unexpected + ", which does not tell what became of the batch",
                unexpected);
    }
}
