package dev.penstock.collapse;

import dev.penstock.BatchCounts.SendReason;
import dev.penstock.BatchEndings;
import dev.penstock.CallContext;
import dev.penstock.CollapseSettings.Halving;
import dev.penstock.Failed;
import dev.penstock.ReadOnly;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * Sends closed batches to the target and gives callers their endings. Every request of a batch gets an ending,
 * whatever happens.
 *
 * <h2>Design note</h2>
 *
 * <p>A batch that the target refuses or undoes as a whole has had no effect, so it may be sent again, and perhaps only one
 * of its requests is at fault. The same holds for a read-only batch, whatever exception the target threw. So its two halves
 * are sent concurrently, recursively, until the request at fault is alone. A half that cannot be sent, for lack of a permit,
 * ends as the whole batch did.
 *
 * <p>Safe for many threads.
 */
final class BatchSender<Q, R> {
    /** How often a batch asks again for a permit because requests with later deadlines have joined. */
    private static final int MAX_PERMIT_ATTEMPTS = 3;

    private final Service<Batch<Q, R>, BatchEndings<R>> next;
    private final Halving halving;
    private final CallTime callTime;
    private final BatchCounter counter;
    private final Ticker ticker;
    private final ThreadFactory threads;
    private final DeadlineWatch<Q, R> watch;

    /**
     * Creates a sender.
     *
     * @param next passes a batch through breaker and limit to its {@link BatchDispatch}
     * @param halving which unanswered batches are split in halves
     * @param callTime decides which requests can no longer be answered in time
     * @param threads starts one thread per batch, and one per concurrently sent half
     */
    BatchSender(
            Service<Batch<Q, R>, BatchEndings<R>> next,
            Halving halving,
            CallTime callTime,
            BatchCounter counter,
            Ticker ticker,
            ThreadFactory threads) {
        this.next = next;
        this.halving = halving;
        this.callTime = callTime;
        this.counter = counter;
        this.ticker = ticker;
        this.threads = threads;
        this.watch = new DeadlineWatch<>(ticker);
    }

    /** Wakes the callers of batches at their deadlines. */
    DeadlineWatch<Q, R> watch() {
        return watch;
    }

    /** Sends a batch on a new thread. */
    void sendApart(Batch<Q, R> batch, SendReason why) {
        batch.setSendReason(why);
        start(batch, this::send);
    }

    /** Runs work for a batch on a new thread. If that fails to start, or throws, all requests of the batch end. */
    void start(Batch<Q, R> batch, Consumer<Batch<Q, R>> work) {
        try {
            watch.add(batch);
            threads.newThread(() -> {
                        try {
                            work.accept(batch);
                        } catch (Throwable broken) {
                            end(batch, batch.isSealed() ? unknown(broken) : neverSent(broken));
                            throw broken;
                        } finally {
                            watch.remove(batch);
                        }
                    })
                    .start();
        } catch (Throwable broken) {
            watch.remove(batch);
            end(batch, neverSent(broken));
        }
    }

    /** Sends a batch and gives its callers their endings. */
    void send(Batch<Q, R> batch) {
        boolean again = true;
        for (int turn = 0; again; turn++) {
            CallContext callContext = CallContext.beginObserved(ticker);
            long allowed = batch.longestLeft(callContext.now());
            try {
                callContext.allow(allowed);
                BatchEndings<R> endings = next.call(batch);
                sealed(batch).end(endings, batch);
                again = false;
            } catch (Rejected ending) {
                again = turn < MAX_PERMIT_ATTEMPTS && hasMoreTimeNow(batch, ending, callContext);
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

    /** Whether requests with later deadlines have joined since, which can still be answered in time. */
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
        counter.batchHalved();
        SealedBatch<Q, R> whole = sealed(batch);
        sendApart(Batch.half(whole.half(false), batch.batcher(), ending), batch.sendReason());
        Batch<Q, R> first = Batch.half(whole.half(true), batch.batcher(), ending);
        first.setSendReason(batch.sendReason());
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

    /** Gives all requests of a batch the same ending, whether sent or not. */
    private void end(Batch<Q, R> batch, Unanswered ending) {
        Unanswered last = batch.ending(ending);
        if (batch.isSealed()) {
            sealed(batch).end(last);
        } else {
            batch.endAll(last);
            batch.batcher().withdraw(batch);
        }
    }

    private SealedBatch<Q, R> sealed(Batch<Q, R> batch) {
        return batch.seal(ticker.nanos(), callTime);
    }

    private static Failed neverSent(Throwable broken) {
        return new Failed(Failed.Cause.UNDONE, "its batch was not sent: its thread threw " + broken, broken);
    }

    private static Unknown unknown(Throwable unexpected) {
        return new Unknown(
                Unknown.Cause.ERROR,
                "the target threw " + unexpected + ", so it is unknown whether the batch took effect",
                unexpected);
    }
}
