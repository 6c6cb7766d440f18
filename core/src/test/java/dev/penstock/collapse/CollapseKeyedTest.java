package dev.penstock.collapse;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.BatchEndings;
import dev.penstock.Collapse;
import dev.penstock.Ending;
import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.Unknown;
import dev.penstock.collapse.Together.Caller;
import dev.penstock.flow.Flow;
import dev.penstock.kit.ManualTicker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that are told apart by a key, and the functions that tell keys. */
@Timeout(120)
class CollapseKeyedTest {
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

    private Collapse<String, String> byFirstLetter() {
        return keyed(batchTarget, request -> request.charAt(0), answer -> answer.charAt(0));
    }

    static <Q, R, K> Collapse<Q, R> keyed(
            Service<List<Q>, ? extends Collection<R>> batch,
            Function<? super Q, K> keyOfRequest,
            Function<? super R, K> keyOfAnswer) {
        return Collapse.<Q, R>intoEndings(
                        requests -> BatchEndings.byKey(requests, keyOfRequest, batch.call(requests), keyOfAnswer))
                .unique(keyOfRequest);
    }

    @Test
    void everyoneGetsTheAnswerOfHisKeyAndOnlyWhoHasNoneIsUnknown() throws Exception {
        Together<List<String>> here = together(byFirstLetter());
        ManualBatchTarget.Call<List<String>> first = here.hold();
        List<Caller> callers = here.come("a", "missing", "twice", "b");
        first.answer();
        batchTarget.next().answer(List.of("b!", "t!", "nobody's", "a!", "t?"));
        assertThat(callers.get(0).answered()).isEqualTo("a!");
        assertThat(callers.get(3).answered()).isEqualTo("b!");
        for (int number : new int[] {1, 2}) {
            CollapseTest.assertUnknown(
                    callers.get(number).ending(), Unknown.Cause.GARBLED, "contains no answer to this request");
        }
    }

    @Test
    void twoOfOneKeyTravelByDifferentCalls() throws Exception {
        assertThat(together(byFirstLetter()).travel("a1", "b1", "a2", "c1", "a3"))
                .containsExactlyInAnyOrder(List.of("a1", "b1", "c1"), List.of("a2"), List.of("a3"));
    }

    @Test
    void twoOfOneKeyTravelAsOneWhenTheyAreTheSame() throws Exception {
        assertThat(together(byFirstLetter().same(request -> request)).travel("a1", "a1", "b1", "a2"))
                .containsExactlyInAnyOrder(List.of("a1", "b1"), List.of("a2"));
    }

    @Test
    void aFunctionThatThrowsEndsOnlyTheRequestThatItThrewFor() throws Exception {
        List<Collapse<String, String>> broken = new ArrayList<>();
        broken.add(keyed(batchTarget, CollapseKeyedTest::throwing, answer -> answer.substring(0, 1)));
        broken.add(Collapse.into(batchTarget).same(CollapseKeyedTest::throwing));
        broken.add(Collapse.into(batchTarget).per(CollapseKeyedTest::throwing));
        broken.add(Collapse.into(batchTarget).only(request -> throwing(request) != null));
        broken.add(Collapse.into(batchTarget)
                .maxBytes(100, request -> throwing(request).length()));
        for (Collapse<String, String> collapse : broken) {
            Together<List<String>> here = together(collapse);
            ManualBatchTarget.Call<List<String>> first = here.hold();
            List<Caller> before = here.come("a");
            Ending bad = here.ask("bad").ending();
            List<Caller> after = here.come("c");
            first.answer();
            batchTarget.next().answer();
            if (collapse == broken.get(2)) {
                batchTarget.next().answer();
            }
            assertThat(before.getFirst().answered()).isEqualTo("a!");
            assertThat(after.getFirst().answered()).isEqualTo("c!");
            assertThat(bad).isInstanceOfSatisfying(Failed.class, failed -> {
                assertThat(failed.why()).isEqualTo(Failed.Cause.UNDONE);
                assertThat(failed).hasMessageContaining("no key");
            });
            here.awaitNobodyWaits();
        }
    }

    private static String throwing(String request) {
        if (request.equals("bad")) {
            throw new IllegalArgumentException("no key");
        }
        return request;
    }
}
