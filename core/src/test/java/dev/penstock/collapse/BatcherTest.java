package dev.penstock.collapse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Answered;
import dev.penstock.BatchEndings;
import dev.penstock.CallContext;
import dev.penstock.CollapseSettings;
import dev.penstock.CollapseSettings.Halving;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.collapse.Together.Caller;
import dev.penstock.kit.StandingTicker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class BatcherTest {
    private static final long MINUTE = 60_000_000_000L;

    private final Ticker ticker = new StandingTicker(7);
    private final BatchCounter tally = new BatchCounter(ticker);
    private final List<Runnable> started = new CopyOnWriteArrayList<>();
    private final List<List<String>> sent = new ArrayList<>();

    private int answers;

    /** Threads that run only when they are told to. */
    private final ThreadFactory threads = work -> new Thread(work) {
        @Override
        public void start() {
            started.add(work);
        }
    };

    private Batcher<String, String> batcher() {
        return batcher(ticker, threads);
    }

    private Batcher<String, String> batcher(Ticker clock, ThreadFactory factory) {
        return batcher(Pure.settings(9), clock, factory);
    }

    private Batcher<String, String> batcher(
            CollapseSettings<String, String> settings, Ticker clock, ThreadFactory factory) {
        BatchDispatch<String, String> departure = new BatchDispatch<>(
                requests -> {
                    sent.add(List.copyOf(requests));
                    return BatchEndings.answered(requests);
                },
                Pure.UNKNOWN);
        Service<Batch<String, String>, BatchEndings<String>> guarded = batch -> {
            BatchEndings<String> endings = departure.call(batch);
            answers++;
            return endings;
        };
        BatchSender<String, String> batchSender =
                new BatchSender<>(guarded, Halving.REFUSED, Pure.UNKNOWN, tally, clock, factory);
        return new Batcher<>(() -> settings, batchSender, Pure.UNKNOWN, tally, clock);
    }

    /** Comes, and is interrupted before its batch is sent. */
    private String comeAndGo(Batcher<String, String> batcher) throws Exception {
        CallContext callContext = CallContext.begin(ticker);
        Thread.currentThread().interrupt();
        try {
            return Pure.word(batcher.call("hasty", callContext));
        } finally {
            boolean unused = Thread.interrupted();
            callContext.end();
        }
    }

    @Test
    void aBatchThatAllHaveLeftIsNotSentAndNotOut() throws Exception {
        Batcher<String, String> batcher = batcher();
        assertThat(comeAndGo(batcher)).isEqualTo("rejected");
        assertThat(comeAndGo(batcher)).isEqualTo("rejected");
        assertThat(batcher.isIdle(7 + 2 * MINUTE, MINUTE))
                .as("its batch is open")
                .isFalse();
        assertThat(tally.report().waiting()).isEqualTo(2);
        started.removeFirst().run();
        assertThat(started).as("one batch for both").isEmpty();
        assertThat(sent).isEmpty();
        assertThat(answers).as("what breaker and limit would take for one").isZero();
        assertThat(tally.report().waiting()).isZero();
        assertThat(tally.report().count()).isZero();
        assertThat(batcher.isIdle(7 + MINUTE - 1, MINUTE))
                .as("it was used of late")
                .isFalse();
        assertThat(batcher.isIdle(7 + MINUTE, MINUTE)).isTrue();
    }

    @Test
    void whoIsInABatchWhoseThreadCannotStartFailsAtOnceAndSoDoesTheNext() throws Exception {
        Batcher<String, String> batcher = batcher(ticker, work -> new Thread(work) {
            @Override
            public void start() {
                throw new OutOfMemoryError("unable to create native thread");
            }
        });
        for (String request : List.of("first", "second")) {
            Caller caller = Caller.of(() -> come(batcher, request));
            assertFailed(caller.ending(), "unable to create native thread");
        }
        assertNothingIsLeft(batcher);
    }

    @Test
    void whoIsInABatchThatBreaksBeforeItIsSentFailsAndTheNextIsCarried() throws Exception {
        AtomicBoolean breaks = new AtomicBoolean();
        Ticker breaking = new Ticker() {
            @Override
            public long nanos() {
                if (breaks.getAndSet(false)) {
                    throw new IllegalStateException("broken");
                }
                return ticker.nanos();
            }

            @Override
            public void parkUntil(long nanos) {
                ticker.parkUntil(nanos);
            }
        };
        Batcher<String, String> batcher = batcher(breaking, threads);
        Caller first = Caller.of(() -> come(batcher, "first"));
        first.awaitWaiting();
        Caller second = Caller.of(() -> come(batcher, "second"));
        second.awaitWaiting();
        breaks.set(true);
        runStarted();
        assertFailed(first.ending(), "broken");
        assertFailed(second.ending(), "broken");
        Caller third = Caller.of(() -> come(batcher, "third"));
        third.awaitWaiting();
        runStarted();
        assertThat(third.answered()).isEqualTo("third");
        assertThat(sent).containsExactly(List.of("third"));
        assertNothingIsLeft(batcher);
    }

    @Test
    void whoTravelsLaterByAThreadThatCannotStartFails() throws Exception {
        AtomicBoolean breaks = new AtomicBoolean();
        CollapseSettings<String, String> apart =
                Pure.collapse(9).unique(request -> "one key").settings();
        Batcher<String, String> batcher = batcher(apart, ticker, work -> {
            if (breaks.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return threads.newThread(work);
        });
        Caller first = Caller.of(() -> come(batcher, "first"));
        first.awaitWaiting();
        Caller second = Caller.of(() -> come(batcher, "second"));
        second.awaitWaiting();
        breaks.set(true);
        runStarted();
        assertThat(first.answered()).isEqualTo("first");
        assertFailed(second.ending(), "unable to create native thread");
        assertNothingIsLeft(batcher);
    }

    @Test
    void whoseKeyThrowsAnErrorWhenItIsComparedFailsAndSoDoAllOfTheBatch() throws Exception {
        record Key(String name) {
            @Override
            public int hashCode() {
                throw new StackOverflowError();
            }

            @Override
            public boolean equals(@Nullable Object other) {
                return this == other;
            }
        }
        Batcher<String, String> batcher =
                batcher(Pure.collapse(9).unique(Key::new).settings(), ticker, threads);
        Caller first = Caller.of(() -> come(batcher, "first"));
        first.awaitWaiting();
        runStarted();
        assertFailed(first.ending(), "StackOverflowError");
        assertNothingIsLeft(batcher);
    }

    /** What escapes from a thread of a batch is nobody's but that thread's. */
    private void runStarted() {
        try {
            started.removeFirst().run();
        } catch (RuntimeException escaped) {
            assertThat(escaped).hasMessage("broken");
        }
    }

    private String come(Batcher<String, String> batcher, String request) throws Exception {
        CallContext callContext = CallContext.begin(ticker);
        try {
            return switch (batcher.call(request, callContext)) {
                case Answered<?> answered -> String.valueOf(answered.answer());
                case Unanswered none -> throw none;
            };
        } finally {
            callContext.end();
        }
    }

    private static void assertFailed(Ending ending, String why) {
        assertThat(ending)
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.why()).isEqualTo(Failed.Cause.UNDONE));
        assertThat((Failed) ending).hasMessageContaining(why);
    }

    private void assertNothingIsLeft(Batcher<String, String> batcher) {
        assertThat(tally.report().waiting()).isZero();
        assertThat(tally.report().out()).isZero();
        assertThat(batcher.isIdle(7 + MINUTE, MINUTE)).isTrue();
    }
}
