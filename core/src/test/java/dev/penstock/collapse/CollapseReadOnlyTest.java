package dev.penstock.collapse;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Answered;
import dev.penstock.Collapse;
import dev.penstock.Ending;
import dev.penstock.ReadOnly;
import dev.penstock.Service;
import dev.penstock.Unknown;
import dev.penstock.collapse.Together.Caller;
import dev.penstock.flow.Flow;
import dev.penstock.kit.ManualTicker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a mistake of the batch function does to a batch that has no effects, and to one that may have. */
@Timeout(120)
class CollapseReadOnlyTest {
    private static final String POISON = "number 41";

    private final ManualTicker ticker = new ManualTicker();

    /** A target whose one poisoned request makes it throw, or answer a list that is one short. */
    private static ManualBatchTarget<List<String>> mistaken(String how) {
        Service<List<String>, List<String>> usual = ManualBatchTarget.usual();
        return ManualBatchTarget.which(requests -> {
            if (!requests.contains(POISON)) {
                return usual.call(requests);
            }
            return switch (how) {
                case "exception" -> throw new IllegalArgumentException(POISON);
                case "error" -> throw new StackOverflowError(POISON);
                case "lost" -> throw new Unknown(Unknown.Cause.CLOSED, POISON);
                default -> usual.call(requests.subList(1, requests.size()));
            };
        });
    }

    private Together<List<String>> together(
            ManualBatchTarget<List<String>> batchTarget, Collapse<String, String> collapse) {
        Flow<String, String> flow = Flow.named("prices")
                .ticker(ticker)
                .concurrency(1)
                .queue(ofSeconds(600))
                .to(collapse);
        return new Together<>(ticker, flow, batchTarget);
    }

    private static List<Ending> travel64(Together<List<String>> here) throws Exception {
        here.hold();
        List<Caller> callers = here.come(
                IntStream.range(0, 64).mapToObj(number -> "number " + number).toArray(String[]::new));
        here.batchTarget().open();
        List<Ending> endings = new ArrayList<>();
        for (Caller caller : callers) {
            endings.add(caller.ending());
        }
        assertThat(here.flow().headroom()).isEqualTo(Collapse.DEFAULT_MAX);
        return endings;
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "error", "short"})
    void theRequestAtFaultIsFoundWhereABatchOnlyReads(String how) throws Exception {
        ManualBatchTarget<List<String>> batchTarget = mistaken(how);
        Together<List<String>> here =
                together(batchTarget, Collapse.into(batchTarget).readOnly());
        List<Ending> endings = travel64(here);
        for (int number = 0; number < 64; number++) {
            if (number == 41) {
                assertThat(endings.get(number)).isInstanceOf(Unknown.class);
            } else {
                assertThat(endings.get(number)).isEqualTo(new Answered<>("number " + number + "!"));
            }
        }
        assertThat(batchTarget.seen().size() - 1).isLessThanOrEqualTo(1 + 2 * 6);
        Together.await(() -> here.flow().accounting().isSettled(), "the call that held the permit has ended");
        assertThat(here.flow().accounting().sentence()).startsWith("offered 65 = answered 64 + rejected 0 + failed 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "error", "short"})
    void whereItMayHaveAnEffectNothingIsSentTwice(String how) throws Exception {
        ManualBatchTarget<List<String>> batchTarget = mistaken(how);
        assertThat(travel64(together(batchTarget, Collapse.into(batchTarget)))).hasOnlyElementsOfType(Unknown.class);
        assertThat(batchTarget.seen()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"exception", "lost"})
    void aBatchThatIsWholeOrWhoseAnswerWasLostIsNotHalved(String how) throws Exception {
        ManualBatchTarget<List<String>> batchTarget = mistaken(how);
        Collapse<String, String> collapse = Collapse.into(batchTarget);
        collapse = how.equals("lost") ? collapse.readOnly() : collapse.whole().readOnly();
        assertThat(travel64(together(batchTarget, collapse))).hasOnlyElementsOfType(Unknown.class);
        assertThat(batchTarget.seen()).hasSize(2);
    }

    private record Lookup(int number) implements ReadOnly {
        @Override
        public boolean isReadOnly() {
            return number < 8;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 12})
    void requestsThatOnlyReadNeedNoDeclaration(int count) throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        Flow<Lookup, Integer> flow = Flow.named("prices")
                .ticker(ticker)
                .concurrency(1)
                .queue(ofSeconds(600))
                .to(Collapse.into(requests -> {
                    sizes.add(requests.size());
                    held.await();
                    return requests.stream().map(CollapseReadOnlyTest::price).toList();
                }));
        Caller first = ask(flow, 0);
        Together.await(() -> sizes.size() == 1, "the permit is taken");
        List<Caller> callers = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            callers.add(ask(flow, number));
            callers.getLast().awaitWaiting();
        }
        held.countDown();
        assertThat(first.answered()).isEqualTo("0");
        for (int number = 0; number < count; number++) {
            Ending ending = callers.get(number).ending();
            // Of the 12, some may have an effect, so nothing of their batch is sent again.
            assertThat(ending instanceof Answered<?>).as(number + " " + ending).isEqualTo(count == 4 && number != 3);
        }
        assertThat(sizes).startsWith(1, count).hasSize(count == 4 ? 6 : 2);
    }

    private static Caller ask(Flow<Lookup, Integer> flow, int number) {
        return Caller.of(() -> String.valueOf(flow.call(new Lookup(number))));
    }

    private static int price(Lookup lookup) {
        if (lookup.number() == 3) {
            throw new IllegalArgumentException("no such article");
        }
        return lookup.number();
    }
}
