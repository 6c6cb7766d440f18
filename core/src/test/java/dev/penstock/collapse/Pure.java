package dev.penstock.collapse;

import dev.penstock.Answered;
import dev.penstock.BatchEndings;
import dev.penstock.CallContext;
import dev.penstock.Collapse;
import dev.penstock.CollapseSettings;
import dev.penstock.CollapseSettings.Halving;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.kit.StandingTicker;
import java.util.List;

/** Items and batches by themselves, without a flow: for those who look at every step of them. */
final class Pure {
    static final CallTime UNKNOWN = new CallTime();

    private static final Batcher<String, String> OF_TWO = batcher(settings(2));
    private static final Batcher<String, String> OF_THREE = batcher(settings(3));

    private Pure() {}

    static CollapseSettings<String, String> settings(int max) {
        return collapse(max).settings();
    }

    /** Of batches of at most so many, for tests that only look at the settings. */
    static Collapse<String, String> collapse(int max) {
        Service<List<String>, BatchEndings<String>> nothing =
                batch -> BatchEndings.<String>ofSize(0).build();
        return Collapse.intoEndings(nothing).max(max);
    }

    /** One that comes at 0 and has so many nanoseconds. */
    static BatchItem<String, String> item(String request, long nanos) {
        return item(request, 0, nanos, settings(100));
    }

    static BatchItem<String, String> item(
            String request, long arrival, long nanos, CollapseSettings<String, String> settings) {
        CallContext callContext = CallContext.begin(new StandingTicker(arrival));
        try {
            callContext.allow(nanos);
            return BatchItem.of(request, null, callContext, false, settings);
        } catch (Failed broken) {
            throw new AssertionError(broken);
        } finally {
            callContext.end();
        }
    }

    /** Its caller gives up, as his time is up; how it ended. */
    static String giveUp(BatchItem<String, String> item) {
        return word(item.await(new StandingTicker(Long.MAX_VALUE / 8), false));
    }

    static String word(Ending ending) {
        return switch (ending) {
            case Answered<?> answered -> String.valueOf(answered.answer());
            case Unanswered none -> none.ending();
        };
    }

    /** An open batch of one with room for one more, of a batcher that sends nothing. */
    static Batch<String, String> batchOfTwo(BatchItem<String, String> first) {
        return Batch.of(first, OF_TWO);
    }

    /** The same with room for two more. */
    static Batch<String, String> batchOfThree(BatchItem<String, String> first) {
        return Batch.of(first, OF_THREE);
    }

    static Batcher<String, String> batcher(CollapseSettings<String, String> settings) {
        return batcher(settings, 0);
    }

    static Batcher<String, String> batcher(CollapseSettings<String, String> settings, long now) {
        Ticker ticker = new StandingTicker(now);
        BatchCounter tally = new BatchCounter(ticker);
        BatchSender<String, String> batchSender = new BatchSender<>(
                batch -> BatchEndings.<String>ofSize(0).build(), Halving.REFUSED, UNKNOWN, tally, ticker, Thread::new);
        return new Batcher<>(() -> settings, batchSender, UNKNOWN, tally, ticker);
    }

    static List<String> sealed(Batch<String, String> batch) {
        return List.copyOf(batch.seal(0, UNKNOWN).requests());
    }
}
