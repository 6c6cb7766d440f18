package dev.penstock.collapse;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Accounting;
import dev.penstock.Collapse;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Unknown;
import dev.penstock.collapse.Together.Caller;
import dev.penstock.flow.Flow;
import dev.penstock.kit.ManualTicker;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** User code of a collapse throws an Error: each caller has an ending that is true, and nothing is held. */
@Timeout(120)
class CollapseErrorTest {
    private static final String BAD = "bad";

    private final ManualTicker ticker = new ManualTicker();
    private final ManualBatchTarget<List<String>> batchTarget = ManualBatchTarget.ofAnswers();

    private Together<List<String>> together(Collapse<String, String> collapse) {
        Flow<String, String> flow = Flow.named("prices")
                .ticker(ticker)
                .concurrency(1)
                .queue(ofSeconds(600))
                .to(collapse);
        return new Together<>(ticker, flow, batchTarget);
    }

    private static <T> T unlessBad(String request, T value) {
        if (request.equals(BAD)) {
            throw new StackOverflowError();
        }
        return value;
    }

    /** A key that cannot be compared. */
    private record Uncomparable(String request) {
        @Override
        public int hashCode() {
            return unlessBad(request, 1);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Uncomparable same && request.equals(same.request);
        }
    }

    enum Place {
        FIT(collapse -> collapse.only(request -> unlessBad(request, true))),
        SCOPE(collapse -> collapse.per(request -> unlessBad(request, "all"))),
        SCOPE_HASH(collapse -> collapse.per(Uncomparable::new)),
        SAME(collapse -> collapse.same(request -> unlessBad(request, request))),
        SAME_HASH(collapse -> collapse.same(Uncomparable::new)),
        UNIQUE(collapse -> collapse.unique(request -> unlessBad(request, request))),
        SIZE(collapse -> collapse.maxBytes(100, request -> unlessBad(request, 1)));

        private final UnaryOperator<Collapse<String, String>> with;

        Place(UnaryOperator<Collapse<String, String>> with) {
            this.with = with;
        }
    }

    @ParameterizedTest
    @EnumSource
    void anErrorOfAFunctionOfARequestFailsItAloneAndNothingOfItIsSent(Place place) throws Exception {
        Together<List<String>> here = together(place.with.apply(Collapse.into(batchTarget)));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        Caller good = here.ask("good");
        Ending ending = here.ask(BAD).ending();
        assertThat(ending)
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.why()).isEqualTo(Failed.Cause.UNDONE));
        first.answer();
        batchTarget.open();
        assertThat(good.answered()).isEqualTo("good!");
        assertThat(batchTarget.seen()).noneMatch(requests -> requests.contains(BAD));
        assertNothingHeld(here, 1);
    }

    @Test
    void anErrorOfAUniqueKeyWhileItsBatchLeavesFailsAllOfItAndNothingIsSent() throws Exception {
        Together<List<String>> here = together(Collapse.into(batchTarget).unique(Uncomparable::new));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        List<Caller> callers = here.come("good", BAD);
        first.answer();
        for (Caller caller : callers) {
            assertThat(caller.ending())
                    .isInstanceOfSatisfying(
                            Failed.class, failed -> assertThat(failed.why()).isEqualTo(Failed.Cause.UNDONE));
        }
        assertThat(batchTarget.seen()).hasSize(1);
        assertNothingHeld(here, 2);
    }

    @Test
    void anErrorOfTheBatchFunctionLeavesAllUnknown() throws Exception {
        Together<List<String>> here = together(Collapse.into(requests -> {
            List<String> answers = batchTarget.call(requests);
            unlessBad(requests.getLast(), true);
            return answers;
        }));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        List<Caller> callers = here.come("good", BAD);
        first.answer();
        batchTarget.open();
        for (Caller caller : callers) {
            assertThat(caller.ending())
                    .isInstanceOfSatisfying(
                            Unknown.class, unknown -> assertThat(unknown.why()).isEqualTo(Unknown.Cause.ERROR));
        }
        assertNothingHeld(here, 0);
    }

    @Test
    void anErrorOfTheKeyOfAnAnswerLeavesAllUnknown() throws Exception {
        Together<List<String>> here = together(CollapseKeyedTest.keyed(
                batchTarget, request -> request + "!", answer -> unlessBad(answer.replace("!", ""), answer)));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        List<Caller> callers = here.come("good", BAD);
        first.answer();
        batchTarget.open();
        for (Caller caller : callers) {
            assertThat(caller.ending()).isInstanceOf(Unknown.class);
        }
        assertNothingHeld(here, 0);
    }

    @Test
    void callersLeaveABatchThatNeverReturnsByTheirDeadlines() throws Exception {
        Together<List<String>> here = together(Collapse.into(batchTarget));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        Caller soon = here.come("soon", ofSeconds(1));
        Caller late = here.come("late", ofSeconds(9));
        first.answer();
        assertThat(batchTarget.next().requests()).containsExactly("soon", "late");
        ticker.advance(ofSeconds(1));
        assertThat(soon.ending()).isInstanceOf(Unknown.class);
        ticker.advance(ofSeconds(8));
        assertThat(late.ending()).isInstanceOf(Unknown.class);
        batchTarget.open();
        assertNothingHeld(here, 0);
    }

    @Test
    void anErrorBeforeABatchIsSentFailsAllOfIt() throws Exception {
        Flow<String, String> flow = Flow.named("prices")
                .ticker(ticker)
                .concurrency(1)
                .queue(ofSeconds(600))
                .priority(request -> unlessBad(request.toString(), 1))
                .to(Collapse.into(batchTarget));
        Together<List<String>> here = new Together<>(ticker, flow, batchTarget);
        ManualBatchTarget.Call<List<String>> first = here.hold();
        Ending ending = here.ask(BAD).ending();
        assertThat(ending)
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.why()).isEqualTo(Failed.Cause.UNDONE));
        first.answer();
        batchTarget.open();
        assertThat(here.ask("good").answered()).isEqualTo("good!");
        assertNothingHeld(here, 1);
    }

    private static void assertNothingHeld(Together<?> here, long failed) {
        Together.await(() -> here.flow().accounting().isSettled(), "all have ended");
        Accounting account = here.flow().accounting();
        assertThat(account.failed()).isEqualTo(failed);
        Together.await(
                () -> here.flow().stages().stream()
                        .filter(stage -> stage.stage().equals("queue"))
                        .allMatch(stage -> stage.started() >= 0 && stage.inFlight() == 0),
                "nobody waits");
    }
}
