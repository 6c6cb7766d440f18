package dev.penstock.collapse;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Answered;
import dev.penstock.BatchEndings;
import dev.penstock.Collapse;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.collapse.Together.Caller;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.kit.ManualTicker;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a batch, and of those in it, when the target does not answer it. */
@Timeout(120)
class CollapseHalvingTest {
    private static final String POISON = "number 41";

    private final ManualTicker ticker = new ManualTicker();

    private Together<List<String>> together(
            ManualBatchTarget<List<String>> batchTarget, Collapse<String, String> collapse) {
        Flow<String, String> flow = builder().to(collapse);
        return new Together<>(ticker, flow, batchTarget);
    }

    private FlowBuilder<Object> builder() {
        return Flow.named("prices").ticker(ticker).concurrency(1).queue(ofSeconds(600));
    }

    private static ManualBatchTarget<List<String>> poisonedBy(Unanswered ending) {
        Service<List<String>, List<String>> usual = ManualBatchTarget.usual();
        return ManualBatchTarget.which(requests -> {
            if (requests.contains(POISON)) {
                throw ending;
            }
            return usual.call(requests);
        });
    }

    private List<Ending> travel64(Together<List<String>> here) throws Exception {
        ManualBatchTarget.Call<List<String>> first = here.hold();
        List<Caller> callers = here.come(
                IntStream.range(0, 64).mapToObj(number -> "number " + number).toArray(String[]::new));
        here.batchTarget().open();
        assertThat(first.requests()).hasSize(1);
        List<Ending> endings = new ArrayList<>();
        for (Caller caller : callers) {
            endings.add(caller.ending());
        }
        return endings;
    }

    @ParameterizedTest
    @EnumSource(
            value = Failed.Cause.class,
            names = {"REFUSED", "UNDONE"})
    void oneThatTheTargetWillNotTakeIsFoundAndTheOthersAreAnswered(Failed.Cause why) throws Exception {
        Failed poison = new Failed(why, "not that one");
        ManualBatchTarget<List<String>> batchTarget = poisonedBy(poison);
        Together<List<String>> here = together(batchTarget, Collapse.into(batchTarget));
        List<Ending> endings = travel64(here);
        for (int number = 0; number < 64; number++) {
            assertThat(endings.get(number)).isEqualTo(number == 41 ? poison : new Answered<>("number " + number + "!"));
        }
        assertThat(batchTarget.seen().size() - 1).isLessThanOrEqualTo(1 + 2 * 6);
        assertThat(Together.batches(here.flow()).halved()).isEqualTo(6);
        assertThat(Together.batches(here.flow()).out()).isZero();
    }

    @Test
    void aBatchThatIsWholeIsNotHalved() throws Exception {
        Failed poison = new Failed(Failed.Cause.REFUSED, "not that one");
        ManualBatchTarget<List<String>> batchTarget = poisonedBy(poison);
        Together<List<String>> here =
                together(batchTarget, Collapse.into(batchTarget).whole());
        assertThat(travel64(here)).containsOnly(poison);
        assertThat(batchTarget.seen()).hasSize(2);
    }

    @Test
    void whatIsUnknownOrCouldNotConnectOrWasNotSentIsNeverHalved() throws Exception {
        for (Unanswered ending : List.of(
                new Failed(Failed.Cause.CONNECT, "refused"),
                new Failed(Failed.Cause.NOT_THERE, "gone"),
                new Unknown(Unknown.Cause.CLOSED, "lost"),
                new Rejected(Rejected.Cause.POOL, "none free"))) {
            ManualBatchTarget<List<String>> batchTarget = poisonedBy(ending);
            assertThat(travel64(together(batchTarget, Collapse.into(batchTarget))))
                    .containsOnly(ending);
            assertThat(batchTarget.seen()).hasSize(2);
        }
    }

    @Test
    void whatTheTargetThrowsByMistakeMakesAllUnknown() throws Exception {
        for (Throwable mistake : List.of(new IllegalStateException("a bug"), new StackOverflowError())) {
            ManualBatchTarget<List<String>> batchTarget = ManualBatchTarget.which(requests -> {
                if (requests.size() > 1) {
                    throwIt(mistake);
                }
                return requests;
            });
            for (Ending ending : travel64(together(batchTarget, Collapse.into(batchTarget)))) {
                CollapseTest.assertUnknown(ending, Unknown.Cause.ERROR, "the target threw " + mistake);
            }
        }
    }

    private static void throwIt(Throwable mistake) {
        if (mistake instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) mistake;
    }

    @Test
    void theFailureOfOneIsItsOwn() throws Exception {
        Failed no = new Failed(Failed.Cause.REFUSED, "no");
        Rejected busy = new Rejected(Rejected.Cause.POOL, "busy");
        ManualBatchTarget<BatchEndings<String>> batchTarget = ManualBatchTarget.which(requests -> {
            BatchEndings.Builder<String> endings = BatchEndings.ofSize(requests.size());
            for (int place = 0; place < requests.size(); place++) {
                switch (requests.get(place)) {
                    case "no" -> endings.ended(place, no);
                    case "busy" -> endings.ended(place, busy);
                    case "forgotten" -> {}
                    default -> endings.answered(place, requests.get(place));
                }
            }
            return endings.build();
        });
        Together<BatchEndings<String>> here =
                new Together<>(ticker, builder().to(Collapse.intoEndings(batchTarget)), batchTarget);
        here.hold();
        List<Caller> callers = here.come("a", "no", "b", "busy", "forgotten");
        batchTarget.open();
        assertThat(callers.get(0).answered()).isEqualTo("a");
        assertThat(callers.get(1).ending()).isSameAs(no);
        assertThat(callers.get(2).answered()).isEqualTo("b");
        assertThat(callers.get(3).ending()).isSameAs(busy);
        CollapseTest.assertUnknown(
                callers.get(4).ending(), Unknown.Cause.GARBLED, "contains no answer to this request");
        Together.await(() -> here.flow().accounting().isSettled(), "the call that held the permit has ended");
        assertThat(here.flow().accounting().sentence())
                .startsWith("offered 6 = answered 3 + rejected 1 + failed 1 + unknown 1 + in flight 0");
    }

    @Test
    void aHalfThatIsNotSentAnyMoreEndsAsTheWholeDid() throws Exception {
        for (Unanswered unsent :
                List.of(new Rejected(Rejected.Cause.POOL, "none free"), new Failed(Failed.Cause.CONNECT, "refused"))) {
            assertEndsAsTheWhole(requests -> {
                throw unsent;
            });
        }
    }

    private void assertEndsAsTheWhole(Service<List<String>, List<String>> second) throws Exception {
        Failed no = new Failed(Failed.Cause.UNDONE, "not all of them");
        ManualBatchTarget<List<String>> batchTarget = ManualBatchTarget.ofAnswers();
        Together<List<String>> here = together(batchTarget, Collapse.into(batchTarget));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        List<Caller> callers = here.come("a", "b");
        first.answer();
        batchTarget.next().fail(no);
        for (int half = 0; half < 2; half++) {
            batchTarget.next().how().complete(second);
        }
        assertThat(callers.get(0).ending()).isSameAs(no);
        assertThat(callers.get(1).ending()).isSameAs(no);
    }

    @Test
    void aHalfThatFindsNoPermitEndsAsTheWholeDid() throws Exception {
        Failed no = new Failed(Failed.Cause.UNDONE, "not all of them");
        ManualBatchTarget<List<String>> batchTarget = ManualBatchTarget.ofAnswers();
        Flow<String, String> flow = Flow.named("prices")
                .ticker(ticker)
                .concurrency(1)
                .queue(ofSeconds(600))
                .queueLength(1)
                .to(Collapse.into(batchTarget));
        Together<List<String>> here = new Together<>(ticker, flow, batchTarget);
        ManualBatchTarget.Call<List<String>> first = here.hold();
        List<Caller> callers = here.come("a", "b", "c", "d");
        first.answer();
        batchTarget.next().fail(no);
        ManualBatchTarget.Call<List<String>> half = batchTarget.next();
        // One half is out and the other one waits: halves of halves find no place in line.
        half.fail(no);
        batchTarget.open();
        for (Caller caller : callers) {
            assertThat(caller.ending()).isNotInstanceOf(Rejected.class);
        }
    }

    @Test
    void whoLeavesWhileTheHalvesAreOutIsUnknownAndTheOthersGoOn() throws Exception {
        ManualBatchTarget<List<String>> batchTarget = ManualBatchTarget.ofAnswers();
        Together<List<String>> here = together(batchTarget, Collapse.into(batchTarget));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        List<Caller> callers = here.come("a", "b", "c", "d");
        first.answer();
        batchTarget.next().fail(new Failed(Failed.Cause.UNDONE, "not all of them"));
        ManualBatchTarget.Call<List<String>> half = batchTarget.next();
        Caller leaves = callers.get(half.requests().contains("a") ? 3 : 1);
        leaves.thread().interrupt();
        assertThat(leaves.ending()).isInstanceOf(Unknown.class);
        batchTarget.open();
        assertThat(callers.get(0).answered()).isEqualTo("a!");
        assertThat(callers.get(2).answered()).isEqualTo("c!");
        assertThat(batchTarget.seen().getLast()).hasSize(1);
    }

    @Test
    void aPoisonThatManyAskForEndsAllOfThem() throws Exception {
        Failed poison = new Failed(Failed.Cause.REFUSED, "not that one");
        ManualBatchTarget<List<String>> batchTarget = poisonedBy(poison);
        Together<List<String>> here =
                together(batchTarget, Collapse.into(batchTarget).same(request -> request));
        here.hold();
        List<Caller> callers = here.come("a", POISON, "b", POISON, POISON, "a");
        batchTarget.open();
        assertThat(callers.get(0).answered()).isEqualTo("a!");
        assertThat(callers.get(2).answered()).isEqualTo("b!");
        assertThat(callers.get(5).answered()).isEqualTo("a!");
        for (int number : new int[] {1, 3, 4}) {
            assertThat(callers.get(number).ending()).isSameAs(poison);
        }
    }
}
