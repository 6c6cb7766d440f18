package dev.penstock.collapse;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.BatchCounts.SendReason;
import dev.penstock.Collapse;
import dev.penstock.Ending;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.collapse.Together.Caller;
import dev.penstock.flow.Flow;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which requests travel together, and whose answer is whose. */
@Timeout(120)
class CollapseTest {
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

    @Test
    void answersComeByPositionToWhoAsked() throws Exception {
        Together<List<String>> here = together(Collapse.into(batchTarget));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        List<Caller> callers = here.come("a", "b", "c");
        first.answer();
        ManualBatchTarget.Call<List<String>> call = here.batchTarget().next();
        assertThat(call.requests()).containsExactly("a", "b", "c");
        call.answer();
        assertThat(callers).extracting(Caller::answered).containsExactly("a!", "b!", "c!");
        Together.await(() -> here.flow().accounting().isSettled(), "the call that held the permit has ended");
        assertThat(here.flow().accounting().answered()).isEqualTo(4);
    }

    @Test
    void aListOfAnotherLengthMakesAllUnknown() throws Exception {
        for (List<String> wrong : List.of(List.<String>of(), List.of("a!"), List.of("a!", "b!", "c!", "d!"))) {
            ManualBatchTarget<List<String>> strange = ManualBatchTarget.ofAnswers();
            Together<List<String>> here = new Together<>(
                    ticker, Flow.named("prices").concurrency(1).ticker(ticker).to(Collapse.into(strange)), strange);
            ManualBatchTarget.Call<List<String>> first = here.hold();
            List<Caller> callers = here.come("a", "b", "c");
            first.answer();
            strange.next().answer(wrong);
            for (Caller caller : callers) {
                assertUnknown(
                        caller.ending(),
                        Unknown.Cause.GARBLED,
                        "a batch of 3 requests got " + wrong.size() + " answers");
            }
        }
    }

    @Test
    void equalRequestsStayTwo() throws Exception {
        assertThat(together(Collapse.into(batchTarget)).travel("pay", "pay", "pay"))
                .containsExactly(List.of("pay", "pay", "pay"));
    }

    @Test
    void whatAsksForTheSameIsSentOnceAndEachCallerIsAnswered() throws Exception {
        Together<List<String>> here =
                together(Collapse.into(batchTarget).same(request -> request.startsWith("pay") ? null : request));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        List<Caller> callers = here.come("a", "b", "a", "pay", "a", "pay");
        batchTarget.open();
        assertThat(callers).extracting(Caller::answered).containsExactly("a!", "b!", "a!", "pay!", "a!", "pay!");
        assertThat(batchTarget.seen()).containsExactly(first.requests(), List.of("a", "b", "pay", "pay"));
    }

    @Test
    void whoAsksForTheSameTakesNoPlaceOfItsOwn() throws Exception {
        assertThat(together(Collapse.into(batchTarget).max(2).same(request -> request))
                        .travel("a", "a", "a", "b"))
                .containsExactly(List.of("a", "b"));
    }

    @Test
    void whoAsksForTheSameAddsNoBytes() throws Exception {
        assertThat(together(Collapse.into(batchTarget)
                                .maxBytes(4, String::length)
                                .same(request -> request))
                        .travel("aa", "aa", "aa", "bb"))
                .containsExactly(List.of("aa", "bb"));
    }

    @Test
    void whenTheFirstOfThoseWhoAskForTheSameLeavesTheOthersAreStillAnswered() throws Exception {
        Together<List<String>> here = together(Collapse.into(batchTarget).same(request -> request));
        here.hold();
        List<Caller> callers = here.come("a", "a", "a");
        callers.getFirst().thread().interrupt();
        assertThat(callers.getFirst().ending()).isInstanceOf(Rejected.class);
        batchTarget.open();
        assertThat(callers.subList(1, 3)).extracting(Caller::answered).containsOnly("a!");
        assertThat(batchTarget.seen().getLast()).containsExactly("a");
    }

    @Test
    void whenTheFirstOfThoseLeavesAfterItWasSentTheOthersAreStillAnswered() throws Exception {
        Together<List<String>> here = together(Collapse.into(batchTarget).same(request -> request));
        ManualBatchTarget.Call<List<String>> first = here.hold();
        List<Caller> callers = here.come("a", "a");
        first.answer();
        ManualBatchTarget.Call<List<String>> call = batchTarget.next();
        callers.getFirst().thread().interrupt();
        assertThat(callers.getFirst().ending()).isInstanceOf(Unknown.class);
        call.answer();
        assertThat(callers.getLast().answered()).isEqualTo("a!");
    }

    @Test
    void aBatchHasAsManyAsItMayAndTheNextTravelApart() throws Exception {
        List<List<String>> batches = together(Collapse.into(batchTarget).max(2)).travel("a", "b", "c", "d", "e");
        assertThat(batches).containsExactlyInAnyOrder(List.of("a", "b"), List.of("c", "d"), List.of("e"));
    }

    @Test
    void aMaximumOfOneCollapsesNothing() throws Exception {
        Together<List<String>> here = together(Collapse.into(batchTarget).max(1));
        batchTarget.open();
        assertThat(List.of(here.ask("a"), here.ask("b")))
                .extracting(Caller::answered)
                .containsExactly("a!", "b!");
        assertThat(batchTarget.seen()).containsExactlyInAnyOrder(List.of("a"), List.of("b"));
        assertThat(Together.batches(here.flow()).left()).containsEntry(SendReason.ALONE, 2L);
    }

    @Test
    void aBatchHasAsManyBytesAsItMayAndWhatIsLargerGoesAlone() throws Exception {
        List<List<String>> batches = together(Collapse.into(batchTarget).maxBytes(4, String::length))
                .travel("aa", "bb", "c", "long one", "d");
        assertThat(batches)
                .containsExactlyInAnyOrder(List.of("aa", "bb"), List.of("c"), List.of("long one"), List.of("d"));
    }

    @Test
    void whatHasAsManyBytesAsALongCanTellJoinsNobody() throws Exception {
        Collapse<String, String> collapse =
                Collapse.into(batchTarget).maxBytes(4, request -> request.equals("huge") ? Long.MAX_VALUE : 1);
        assertThat(together(collapse).travel("a", "huge", "b"))
                .containsExactlyInAnyOrder(List.of("a"), List.of("huge"), List.of("b"));
    }

    @Test
    void aBatchThatHasNoRoomForTheNextOneWaitsForNoOthers() throws Exception {
        Collapse<String, String> collapse =
                Collapse.into(batchTarget).maxBytes(10, String::length).budget(ofSeconds(1));
        Flow<String, String> flow = Flow.named("prices").ticker(ticker).to(collapse);
        Together<List<String>> here = new Together<>(ticker, flow, batchTarget);
        batchTarget.open();
        // Many come, so that more are to be expected.
        for (int number = 0; number < 100; number++) {
            here.come("x");
            ticker.advance(Duration.ofMillis(10));
        }
        ticker.advance(ofSeconds(1));
        Together.await(() -> flow.accounting().isSettled(), "all are answered");
        Caller small = here.come("seven..").getFirst();
        ticker.awaitParked(1);
        Caller next = here.come("seven, too").getFirst();
        assertThat(small.answered()).as("though the clock stands still").isEqualTo("seven..!");
        assertThat(next.answered()).as("which is full").isEqualTo("seven, too!");
    }

    @Test
    void aNegativeSizeCountsAsNone() throws Exception {
        assertThat(together(Collapse.into(batchTarget).maxBytes(1, request -> -5))
                        .travel("a", "b", "c"))
                .containsExactly(List.of("a", "b", "c"));
    }

    @Test
    void whatIsNotFitGoesAloneByItsOwnService() throws Exception {
        List<String> alone = new CopyOnWriteArrayList<>();
        Together<List<String>> here = together(Collapse.into(batchTarget)
                .only(request -> !request.startsWith("big"))
                .alone(request -> {
                    alone.add(request);
                    return request + "?";
                }));
        // A batch of one goes there too, so it takes two to hold the batchTarget.
        assertThat(here.ask("small").answered()).isEqualTo("small?");
        assertThat(here.ask("big").answered()).isEqualTo("big?");
        assertThat(alone).containsExactly("small", "big");
        assertThat(Together.batches(here.flow()).left())
                .containsEntry(SendReason.ALONE, 1L)
                .containsEntry(SendReason.GAP, 1L);
        here.awaitNobodyWaits();
    }

    @Test
    void whatIsNotFitWaitsForNobodyButItsPermit() throws Exception {
        assertThat(together(Collapse.into(batchTarget).only(request -> !request.startsWith("big")))
                        .travel("a", "big one", "b", "big two"))
                .containsExactlyInAnyOrder(List.of("a", "b"), List.of("big one"), List.of("big two"));
    }

    @Test
    void whatTheKeyKeepsApartTravelsApart() throws Exception {
        List<List<String>> batches = together(Collapse.into(batchTarget).per(request -> request.charAt(0)))
                .travel("a1", "b1", "a2", "c1", "b2");
        assertThat(batches).containsExactlyInAnyOrder(List.of("a1", "a2"), List.of("b1", "b2"), List.of("c1"));
    }

    @Test
    void valuesOutOfRangeAreRefused() {
        Collapse<String, String> collapse = Collapse.into(batchTarget);
        assertThatThrownBy(() -> collapse.max(0)).hasMessage("collapse.max must be 1 to 100000, not 0");
        assertThatThrownBy(() -> collapse.max(100_001)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> collapse.maxBytes(0, String::length)).hasMessageContaining("1 or more, not 0");
        assertThatThrownBy(() -> collapse.budget(1.01)).hasMessageContaining("0 to 1, not 1.01");
        assertThatThrownBy(() -> collapse.budget(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> collapse.budget(Duration.ofMillis(-1))).hasMessageContaining("0 or more, not -1 ms");
    }

    static void assertUnknown(Ending ending, Unknown.Cause why, String message) {
        assertThat(ending).isInstanceOfSatisfying(Unknown.class, unknown -> {
            assertThat(unknown.why()).isEqualTo(why);
            assertThat(unknown).hasMessageContaining(message);
        });
    }
}
