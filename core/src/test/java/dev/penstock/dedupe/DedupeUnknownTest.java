package dev.penstock.dedupe;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Answered;
import dev.penstock.Failed;
import dev.penstock.IdempotencyStore.KeyRequest;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Settle;
import dev.penstock.StatusProbe.Settled;
import dev.penstock.StatusProbe.Settled.NotThere;
import dev.penstock.StatusProbe.Settled.StillUnknown;
import dev.penstock.Unknown;
import dev.penstock.dedupe.FaultyIdempotencyStore.Fault;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.ScriptedService;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A key whose first transaction ended as unknown comes again. */
class DedupeUnknownTest {
    private final ManualTicker ticker = new ManualTicker();
    private final FaultyIdempotencyStore store = new FaultyIdempotencyStore(ticker);
    private final ScriptedService<String, String> target = ScriptedService.on(ticker);
    private final ScriptedService<String, Settled<String>> storeClient = ScriptedService.on(ticker);
    private final Unknown lost = new Unknown(Unknown.Cause.CLOSED, "lost");

    private FlowBuilder<String> builder() {
        return Flow.named("payments").ticker(ticker).deadline(ofSeconds(5)).dedupe(Words.dedupe(store));
    }

    /** The target takes one key once. */
    private Flow<String, String> keyed() {
        return builder()
                .retry(Retry.byKey((String request) -> request).attempts(1).backoff(ofMillis(0), ofMillis(0)))
                .to(target);
    }

    private Flow<String, String> asking() {
        return builder()
                .to(target, Settle.by(storeClient::call).after(Duration.ZERO).queries(1));
    }

    @Test
    void withAKeyOfTheRetryItIsSentAgain() throws Exception {
        target.fails(lost).answers("yes");
        Flow<String, String> flow = keyed();
        assertThatThrownBy(() -> flow.call("a:x")).isEqualTo(lost);
        assertThat(flow.call("a:x")).isEqualTo("yes");
        assertThat(flow.call("a:x")).isEqualTo("yes");
        assertThat(target.received()).hasSize(2);
        assertThat(Words.dedupeCounts(flow).settled()).isEqualTo(1);
    }

    @Test
    void whatIsNotAnsweredTheSecondTimeStaysUnknown() throws Exception {
        target.fails(lost)
                .fails(new Rejected(Rejected.Cause.POOL, "none"))
                .fails(new Failed(Failed.Cause.REFUSED, "no"))
                .fails(new Failed(Failed.Cause.CONNECT, "refused"))
                .answers("busy")
                .answers("yes");
        Flow<String, String> flow = keyed();
        assertThatThrownBy(() -> flow.call("a:x")).isEqualTo(lost);
        assertThatThrownBy(() -> flow.call("a:x")).isInstanceOf(Unknown.class).hasMessageContaining("rejected: none");
        assertThatThrownBy(() -> flow.call("a:x")).isInstanceOf(Unknown.class).hasMessageContaining("failed: no");
        assertThatThrownBy(() -> flow.call("a:x")).isInstanceOf(Unknown.class);
        assertThat(flow.call("a:x")).isEqualTo("busy");
        assertThatThrownBy(() -> builder().to(target).call("a:x")).isInstanceOf(Unknown.class);
        assertThat(flow.call("a:x")).isEqualTo("yes");
        assertThat(builder().to(target).call("a:x")).isEqualTo("yes");
        assertThat(target.received()).hasSize(6);
    }

    @Test
    void aStatusProbeBringsTheAnswer() throws Exception {
        target.fails(lost);
        storeClient
                .answers(new StillUnknown<>("busy"))
                .answers(new StillUnknown<>("busy"))
                .answers(new Answered<>("yes"));
        Flow<String, String> flow = asking();
        assertThatThrownBy(() -> flow.call("a:x")).isInstanceOf(Unknown.class);
        assertThatThrownBy(() -> flow.call("a:x")).isInstanceOf(Unknown.class);
        assertThat(flow.call("a:x")).isEqualTo("yes");
        assertThat(flow.call("a:x")).isEqualTo("yes");
        assertThat(target.received()).hasSize(1);
        assertThat(storeClient.received()).hasSize(3);
    }

    @Test
    void whatIsNotThereIsSent() throws Exception {
        target.fails(lost).answers("yes");
        storeClient.answers(new StillUnknown<>("busy")).answers(new NotThere<>());
        Flow<String, String> flow = asking();
        assertThatThrownBy(() -> flow.call("a:x")).isInstanceOf(Unknown.class);
        assertThat(flow.call("a:x")).isEqualTo("yes");
        assertThat(target.received()).hasSize(2);
    }

    @Test
    void whatWasNotThereAndThenNotSentIsFree() throws Exception {
        target.fails(lost).fails(new Rejected(Rejected.Cause.POOL, "none")).answers("yes");
        storeClient.answers(new StillUnknown<>("busy")).answers(new NotThere<>());
        Flow<String, String> flow = asking();
        assertThatThrownBy(() -> flow.call("a:x")).isInstanceOf(Unknown.class);
        assertThatThrownBy(() -> flow.call("a:x")).isInstanceOf(Rejected.class);
        assertThat(builder().to(target).call("a:x")).isEqualTo("yes");
    }

    @Test
    void aLapsedClaimIsAskedForToo() throws Exception {
        store.claim(new KeyRequest("payments/a", DedupeTest.digest("a:x"), 7, ofSeconds(2), Duration.ofHours(1)));
        ticker.advance(ofSeconds(3));
        storeClient.answers(new Answered<>("yes"));
        assertThat(asking().call("a:x")).isEqualTo("yes");
        assertThat(target.received()).isEmpty();
    }

    @Test
    void aLateEndingOfALapsedClaimCounts() throws Exception {
        store.claim(new KeyRequest("payments/a", DedupeTest.digest("a:x"), 7, ofSeconds(2), Duration.ofHours(1)));
        ticker.advance(ofSeconds(3));
        store.end("payments/a", 7, Words.kept("late"), Duration.ofHours(1));
        assertThat(builder().to(target).call("a:x")).isEqualTo("late");
    }

    @Test
    void whenNobodyHearsWhetherADoubtWasTakenOverItStaysOne() throws Exception {
        target.fails(lost).answers("yes");
        Flow<String, String> flow = keyed();
        assertThatThrownBy(() -> flow.call("a:x")).isEqualTo(lost);
        store.takingOver = Fault.AFTER;
        Flow<String, String> other = Flow.named("payments")
                .ticker(ticker)
                .deadline(ofSeconds(5))
                .dedupe(Words.dedupe(store))
                .retry(Retry.byKey((String request) -> request).attempts(1))
                .to(target);
        assertThatThrownBy(() -> other.call("a:x")).isInstanceOf(Unknown.class);
        // The debt is paid: the key is in doubt again, and not as if it were new.
        assertThat(other.call("b:x")).isEqualTo("yes");
        store.takingOver = Fault.NONE;
        assertThatThrownBy(() -> builder().to(target).call("a:x")).isInstanceOf(Unknown.class);
        assertThat(target.received()).containsExactly("a:x", "b:x");
    }
}
