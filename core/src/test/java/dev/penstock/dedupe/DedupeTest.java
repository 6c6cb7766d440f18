package dev.penstock.dedupe;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.penstock.AnswerCodec;
import dev.penstock.Answered;
import dev.penstock.Collapse;
import dev.penstock.Dedupe;
import dev.penstock.Failed;
import dev.penstock.IdempotencyStore;
import dev.penstock.IdempotencyStore.KeyRequest;
import dev.penstock.ReadOnly;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Setting;
import dev.penstock.StageReport;
import dev.penstock.Unknown;
import dev.penstock.dedupe.FaultyIdempotencyStore.Fault;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.ScriptedService;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One transaction of each key, one after another. */
class DedupeTest {
    private final ManualTicker ticker = new ManualTicker();
    private final FaultyIdempotencyStore store = new FaultyIdempotencyStore(ticker);
    private final ScriptedService<String, String> target = ScriptedService.on(ticker);
    private final Unknown lost = new Unknown(Unknown.Cause.CLOSED, "lost");

    private FlowBuilder<String> builder() {
        return Flow.named("payments").ticker(ticker).deadline(ofSeconds(5)).dedupe(Words.dedupe(store));
    }

    private Flow<String, String> flow() {
        return builder().to(target);
    }

    @Test
    void theSameKeyAgainGetsTheFirstAnswerAndNothingIsSent() throws Exception {
        target.answers("one").answers("two");
        Flow<String, String> flow = flow();
        assertThat(flow.call("a:x")).isEqualTo("one");
        assertThat(flow.call("a:x")).isEqualTo("one");
        assertThat(flow.call("b:x")).isEqualTo("two");
        assertThat(target.received()).containsExactly("a:x", "b:x");
        assertThat(flow.accounting().sentence()).startsWith("offered 3 = answered 3 + ");
        assertThat(Words.dedupeCounts(flow))
                .extracting(Dedupe.Counts::first, Dedupe.Counts::duplicates)
                .containsExactly(2L, 1L);
    }

    @Test
    void whatHasNoKeyOrOnlyReadsPassesUntouched() throws Exception {
        target.answers("yes");
        Flow<String, String> flow = flow();
        flow.call("bare");
        flow.call("bare");
        assertThat(target.received()).hasSize(2);
        assertThat(Words.dedupeCounts(flow).first()).isZero();

        record Look(String key) implements ReadOnly {
            @Override
            public boolean isReadOnly() {
                return true;
            }
        }
        ScriptedService<Look, String> looked =
                ScriptedService.<Look, String>on(ticker).answers("seen");
        Flow<Look, String> reading = Flow.named("looks")
                .ticker(ticker)
                .dedupe(Dedupe.byKey(Look::key, store, new Words()))
                .to(looked);
        reading.call(new Look("a"));
        reading.call(new Look("a"));
        assertThat(looked.received()).hasSize(2);
    }

    @Test
    void anotherRequestWithTheSameKeyIsRefused() throws Exception {
        target.answers("yes");
        Flow<String, String> flow = flow();
        flow.call("a:x");
        assertThatThrownBy(() -> flow.call("a:y"))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.why()).isEqualTo(Failed.Cause.REFUSED))
                .hasMessageContaining("the key was used for a different request");
        assertThat(target.received()).containsExactly("a:x");
        assertThat(Words.dedupeCounts(flow).refused()).isEqualTo(1);
        // The first one's answer is still there.
        assertThat(flow.call("a:x")).isEqualTo("yes");
    }

    @Test
    void aRefusalForGoodIsKept() {
        target.fails(new Failed(Failed.Cause.REFUSED, "no such card")).answers("yes");
        Flow<String, String> flow = flow();
        assertThatThrownBy(() -> flow.call("a:x")).hasMessage("no such card");
        assertThatThrownBy(() -> flow.call("a:x"))
                .isInstanceOf(Failed.class)
                .hasMessage("the first request with this key was refused: no such card");
        assertThat(target.received()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"CONNECT", "UNDONE", "NOT_THERE"})
    void whatHasNotTakenEffectMayBeSentAgain(Failed.Cause cause) throws Exception {
        target.fails(new Failed(cause, "not")).answers("yes");
        Flow<String, String> flow = flow();
        assertThatThrownBy(() -> flow.call("a:x")).isInstanceOf(Failed.class);
        assertThat(flow.call("a:x")).isEqualTo("yes");
    }

    @Test
    void whatWasNeverSentMayBeSentAgainAlsoByAnotherRequest() throws Exception {
        target.fails(new Rejected(Rejected.Cause.POOL, "none")).answers("yes");
        Flow<String, String> flow = flow();
        assertThatThrownBy(() -> flow.call("a:x")).isInstanceOf(Rejected.class);
        assertThat(flow.call("a:y")).isEqualTo("yes");
    }

    @Test
    void anAnswerThatTellsNothingIsNotKept() throws Exception {
        target.answers("busy").answers("yes");
        Flow<String, String> flow = flow();
        assertThat(flow.call("a:x")).isEqualTo("busy");
        assertThat(flow.call("a:x")).isEqualTo("yes");
    }

    @Test
    void anUnknownEndingIsKeptAndNeverSentAgain() {
        target.fails(lost).answers("yes");
        Flow<String, String> flow = flow();
        assertThatThrownBy(() -> flow.call("a:x")).isEqualTo(lost);
        Unknown again = catchThrowableOfType(Unknown.class, () -> flow.call("a:x"));
        assertThat(again.why()).isEqualTo(Unknown.Cause.CLOSED);
        assertThat(again)
                .hasMessage("the first request with this key ended as unknown, cause closed: lost; not sent again");
        assertThat(target.received()).hasSize(1);
    }

    @Test
    void whatTheTargetThrowsByMistakeIsKeptAsUnknown() {
        target.fails(new IllegalStateException("a bug")).answers("yes");
        Flow<String, String> flow = flow();
        assertThatThrownBy(() -> flow.call("a:x")).isInstanceOf(Unknown.class);
        assertThatThrownBy(() -> flow.call("a:x")).isInstanceOf(Unknown.class);
        target.anew().step(request -> {
            throw new AssertionError("an error");
        });
        assertThatThrownBy(() -> flow.call("b:x")).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> flow.call("b:x")).isInstanceOf(Unknown.class);
        assertThat(target.received()).hasSize(2);
        assertThat(flow.accounting().isSettled()).isTrue();
    }

    @Test
    void afterItsTimeAKeyIsNew() throws Exception {
        target.answers("one").answers("two");
        Flow<String, String> flow = Flow.named("payments")
                .ticker(ticker)
                .dedupe(Words.dedupe(store).keep(ofSeconds(10)))
                .to(target);
        flow.call("a:x");
        ticker.advance(ofSeconds(9));
        assertThat(flow.call("a:x")).isEqualTo("one");
        ticker.advance(ofSeconds(2));
        assertThat(flow.call("a:y")).isEqualTo("two");
    }

    @Test
    void ofALargeAnswerOnlyTheEndingIsKept() throws Exception {
        target.answers("a large answer");
        Flow<String, String> flow = Flow.named("payments")
                .ticker(ticker)
                .dedupe(Words.dedupe(store).maxAnswer(5))
                .to(target);
        assertThat(flow.call("a:x")).isEqualTo("a large answer");
        assertThatThrownBy(() -> flow.call("a:x"))
                .isInstanceOfSatisfying(
                        Unknown.class, unknown -> assertThat(unknown.why()).isEqualTo(Unknown.Cause.GARBLED))
                .hasMessage(
                        "the first request with this key was answered, but its answer has 14 bytes, above the maximum of 5"
                                + " to keep (dedupe.max_answer); not sent again");
        assertThat(target.received()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"BEFORE", "ERROR_BEFORE"})
    void nothingIsSentUnprotected(Fault fault) throws Exception {
        target.answers("yes");
        store.asking = fault;
        Flow<String, String> flow = flow();
        assertThatThrownBy(() -> flow.call("a:x"))
                .isInstanceOfSatisfying(
                        Rejected.class, rejected -> assertThat(rejected.why()).isEqualTo(Rejected.Cause.STORE))
                .hasMessageMatching("the key could not be claimed in a faulty store \\(.*down\\); nothing was sent");
        assertThat(target.received()).isEmpty();
        assertThat(flow.call("bare")).isEqualTo("yes");
        assertThat(Words.dedupeCounts(flow).unavailable()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"AFTER", "ERROR_AFTER"})
    void aKeyThatWasGrantedUnheardIsFoundAgain(Fault fault) throws Exception {
        target.answers("yes");
        store.claiming = fault;
        Flow<String, String> flow = flow();
        assertThatThrownBy(() -> flow.call("a:x")).isInstanceOf(Rejected.class);
        store.claiming = Fault.NONE;
        assertThat(flow.call("a:x")).isEqualTo("yes");
        assertThat(target.received()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"AFTER", "ERROR_AFTER"})
    void aKeyThatWasGrantedInVainIsGivenBackWithTheNextWord(Fault fault) throws Exception {
        target.answers("yes");
        store.claiming = fault;
        Flow<String, String> flow = flow();
        assertThatThrownBy(() -> flow.call("a:x")).isInstanceOf(Rejected.class);
        store.claiming = Fault.NONE;
        flow.call("b:x");
        // Another process, which knows nothing of owners here.
        assertThat(flow().call("a:x")).isEqualTo("yes");
    }

    @ParameterizedTest
    @EnumSource(names = {"BEFORE", "ERROR_BEFORE"})
    void anEndingThatCouldNotBeWrittenDownIsRememberedAndToldLater(Fault fault) throws Exception {
        target.answers("one").answers("two");
        store.telling = fault;
        Flow<String, String> flow = flow();
        assertThat(flow.call("a:x")).isEqualTo("one");
        assertThat(flow.call("a:x")).isEqualTo("one");
        assertThatThrownBy(() -> flow.call("a:y")).isInstanceOf(Failed.class);
        assertThat(Words.dedupeCounts(flow).unwritten()).isGreaterThan(0);
        store.telling = Fault.NONE;
        assertThat(flow.call("b:x")).isEqualTo("two");
        assertThat(flow().call("a:x")).isEqualTo("one");
        assertThat(target.received()).containsExactly("a:x", "b:x");
    }

    @Test
    void anErrorOfAFunctionOfARequestFailsItAndNothingIsSent() throws Exception {
        target.answers("yes");
        Flow<String, String> flow = Flow.named("payments")
                .ticker(ticker)
                .dedupe(Dedupe.byKey(
                        (String request) -> {
                            if (request.startsWith("bad")) {
                                throw new StackOverflowError();
                            }
                            return request;
                        },
                        store,
                        new Words()))
                .to(target);
        assertThatThrownBy(() -> flow.call("bad"))
                .isInstanceOfSatisfying(
                        Failed.class, failed -> assertThat(failed.why()).isEqualTo(Failed.Cause.UNDONE));
        assertThat(flow.call("good")).isEqualTo("yes");
        assertThat(target.received()).containsExactly("good");
        assertThat(flow.accounting().failed()).isEqualTo(1);
    }

    @Test
    void anErrorWhileAnAnswerIsTurnedIntoBytesTakesItFromNobody() throws Exception {
        AnswerCodec<String> broken = new AnswerCodec<>() {
            @Override
            public Class<String> kind() {
                return String.class;
            }

            @Override
            public byte[] encode(String answer) {
                throw new StackOverflowError("too deep");
            }

            @Override
            public String decode(byte[] bytes) {
                return "";
            }
        };
        target.answers("yes");
        Flow<String, String> flow = Flow.named("payments")
                .ticker(ticker)
                .dedupe(Dedupe.byKey((String request) -> request, store, broken))
                .to(target);
        assertThat(flow.call("a")).isEqualTo("yes");
        assertThatThrownBy(() -> flow.call("a"))
                .isInstanceOf(Unknown.class)
                .hasMessageContaining("could not be converted to bytes (java.lang.StackOverflowError: too deep)");
        assertThat(target.received()).containsExactly("a");
    }

    @Test
    void aClaimWhoseProcessDiedIsUnknownOnceItsLeaseIsUp() throws Exception {
        target.answers("yes");
        store.claim(new KeyRequest("payments/a", digest("a:x"), 7, ofSeconds(2), Duration.ofHours(1)));
        ticker.advance(ofSeconds(3));
        assertThatThrownBy(() -> flow().call("a:x"))
                .isInstanceOf(Unknown.class)
                .hasMessageContaining("its process did not record the outcome");
        assertThatThrownBy(() -> flow().call("a:y")).isInstanceOf(Failed.class);
        assertThat(target.received()).isEmpty();
    }

    @Test
    void whoIsFasterBetweenTheLookAndTheClaimIsNotPassedBy() throws Exception {
        target.answers("one").answers("two");
        assertThat(flow().call("a:x")).isEqualTo("one");
        store.blindLooks.set(1);
        assertThat(builder()
                        .concurrency(1)
                        .retry(Retry.ofIdempotent())
                        .to(target)
                        .call("a:x"))
                .isEqualTo("one");
        store.claim(new KeyRequest("payments/b", digest("b:x"), 7, ofSeconds(2), Duration.ofHours(1)));
        ticker.advance(ofSeconds(3));
        store.blindLooks.set(1);
        assertThatThrownBy(() -> flow().call("b:x")).isInstanceOf(Unknown.class);
        assertThat(target.received()).containsExactly("a:x");
    }

    @Test
    void inABatchToo() throws Exception {
        store.claim(new KeyRequest("payments/b", digest("b:x"), 7, ofSeconds(2), Duration.ofHours(1)));
        store.end(
                "payments/b",
                7,
                Objects.requireNonNull(new OutcomeCodec(new Words(), 100).bytes(new Answered<>("kept"))),
                Duration.ofHours(1));
        List<String> sent = new CopyOnWriteArrayList<>();
        Flow<String, String> flow = builder()
                .to(Collapse.<String, String>into(batch -> {
                            sent.addAll(batch);
                            return batch.stream().map(one -> "sent " + one).toList();
                        })
                        .budget(ofSeconds(1))
                        .max(3));
        store.blindLooks.set(3);
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> all = callers.invokeAll(
                    List.<Callable<String>>of(() -> flow.call("a:x"), () -> flow.call("b:x"), () -> flow.call("c:x")));
            assertThat(all).extracting(Future::get).containsExactly("sent a:x", "kept", "sent c:x");
        }
        assertThat(sent).containsExactlyInAnyOrder("a:x", "c:x");
        assertThat(flow.call("a:x")).isEqualTo("sent a:x");
        assertThat(sent).hasSize(2);
    }

    @Test
    void anEndingThatUpdatesNothingIsCounted() throws Exception {
        target.answers("yes");
        store.gone = true;
        Flow<String, String> flow = flow();
        assertThat(flow.call("a:x")).isEqualTo("yes");
        assertThat(Words.dedupeCounts(flow).unwritten()).isEqualTo(1);
    }

    static String digest(String request) {
        return DedupeFilter.digest(Words.bytes(request));
    }

    @Test
    void keysAreThoseOfAFlow() throws Exception {
        target.answers("one").answers("two");
        flow().call("a:x");
        Flow<String, String> other =
                Flow.named("refunds").ticker(ticker).dedupe(Words.dedupe(store)).to(target);
        assertThat(other.call("a:x")).isEqualTo("two");
    }

    @Test
    void longAndStrangeKeysAreKeysToo() throws Exception {
        target.answers("one").answers("two").answers("three");
        Flow<String, String> flow = flow();
        assertThat(flow.call("k".repeat(9_000) + ":x")).isEqualTo("one");
        assertThat(flow.call("k".repeat(9_001) + ":x")).isEqualTo("two");
        assertThat(flow.call("k".repeat(9_000) + ":x")).isEqualTo("one");
        assertThat(flow.call("\u00fc \u0000\n:x")).isEqualTo("three");
        assertThat(flow.call("\u00fc \u0000\n:x")).isEqualTo("three");
    }

    @Test
    void aFunctionThatThrowsFailsItsRequestAlone() {
        Flow<String, String> flow = Flow.named("payments")
                .ticker(ticker)
                .dedupe(Dedupe.byKey(
                        (String request) -> {
                            throw new IllegalStateException("a bug");
                        },
                        store,
                        new Words()))
                .to(target);
        assertThatThrownBy(() -> flow.call("a:x"))
                .isInstanceOf(Failed.class)
                .hasMessageContaining("the key function of the dedupe threw");
    }

    @Test
    void itStandsAroundTheRetry() throws Exception {
        target.fails(new Failed(Failed.Cause.CONNECT, "refused")).answers("yes");
        Flow<String, String> flow = builder()
                .retry(Retry.whenNotSent().backoff(ofMillis(0), ofMillis(0)))
                .to(target);
        assertThat(flow.call("a:x")).isEqualTo("yes");
        assertThat(flow.call("a:x")).isEqualTo("yes");
        assertThat(flow.toString()).contains("deadline").containsSubsequence("> dedupe (dedupe.key a key", "> retry (");
        assertThat(flow.stages()).extracting(StageReport::stage).containsExactly("flow", "dedupe", "retry", "target");
    }

    @Test
    void itShowsItsSettings() {
        assertThat(flow().settings())
                .filteredOn(setting -> setting.name().startsWith("dedupe."))
                .extracting(Setting::name, Setting::value)
                .containsExactly(
                        tuple("dedupe.key", "a key"),
                        tuple("dedupe.store", "a faulty store"),
                        tuple("dedupe.keep", "1440 min"),
                        tuple("dedupe.max_answer", "64KB"));
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        Dedupe<String> dedupe = Words.dedupe(store);
        assertThatIllegalArgumentException().isThrownBy(() -> dedupe.keep(ofMillis(999)));
        assertThatIllegalArgumentException().isThrownBy(() -> dedupe.keep(Duration.ofDays(367)));
        assertThatIllegalArgumentException().isThrownBy(() -> dedupe.maxAnswer(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> dedupe.maxAnswer((16 << 20) + 1));
        assertThatIllegalArgumentException().isThrownBy(() -> IdempotencyStore.inMemory(0));
    }

    @Test
    void aFullStoreGrantsNothingNew() throws Exception {
        target.answers("yes");
        Flow<String, String> flow = Flow.named("payments")
                .ticker(ticker)
                .dedupe(Words.dedupe(IdempotencyStore.inMemory(1, ticker)).keep(ofSeconds(10)))
                .to(target);
        flow.call("a:x");
        assertThatThrownBy(() -> flow.call("b:x"))
                .isInstanceOf(Rejected.class)
                .hasMessageContaining("the store holds 1 keys, its maximum");
        assertThat(flow.call("a:x")).isEqualTo("yes");
        ticker.advance(ofSeconds(11));
        assertThat(flow.call("b:x")).isEqualTo("yes");
    }
}
