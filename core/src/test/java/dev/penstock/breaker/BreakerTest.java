package dev.penstock.breaker;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.ScriptedService;
import dev.penstock.meter.StageReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class BreakerTest {
    private final Exception refused = new Failed(Failed.Cause.CONNECT, "connection refused");
    private final Exception late = new Unknown(Unknown.Cause.TIMEOUT, "no answer");

    private final ManualTicker ticker = new ManualTicker();
    private final ScriptedService<String, String> target = ScriptedService.on(ticker);
    private final Flow<String, String> flow =
            Flow.named("payments").ticker(ticker).breaker().to(target);

    @Test
    void fiveConnectFailuresInARowOpenIt() {
        target.fails(refused);
        call(5);
        assertThat(state()).startsWith("open: 5 calls in a row could not connect");
        assertThatThrownBy(() -> flow.call("q"))
                .isInstanceOfSatisfying(Rejected.class, it -> {
                    assertThat(it.why()).isEqualTo(Rejected.Cause.BREAKER);
                    assertThat(it.retryAfter()).isEqualTo(ofSeconds(5));
                })
                .hasMessageContaining("trial calls begin in 5 s");
        assertThat(target.received()).hasSize(5);
    }

    @Test
    void anAnswerInBetweenStartsTheRowAnew() {
        for (int failure = 0; failure < 4; failure++) {
            target.fails(refused);
        }
        target.answers("yes").fails(refused);
        call(9);
        assertThat(state()).startsWith("closed");
    }

    @Test
    void halfOfTwentyCallsFailingOpensIt() {
        for (int call = 0; call < 10; call++) {
            target.answers("yes");
        }
        target.fails(late);
        call(19);
        assertThat(state()).startsWith("closed");
        call(1);
        assertThat(state()).startsWith("open: 10 of the last 20 calls failed");
    }

    @Test
    void failuresLongAgoAreForgotten() {
        target.fails(late);
        call(19);
        ticker.advance(ofSeconds(20));
        call(19);
        assertThat(state()).startsWith("closed");
    }

    @Test
    void itClosesWhenItsTrialCallsAreAnswered() {
        open();
        target.anew().answers("yes");
        ticker.advance(ofSeconds(5));
        call(2);
        assertThat(state()).isEqualTo("half-open: 2 of 3 trial calls were answered");
        call(1);
        assertThat(state()).startsWith("closed");
    }

    @Test
    void aFailedTrialOpensItForTwiceAsLong() {
        open();
        ticker.advance(ofSeconds(5));
        call(1);
        assertThat(state()).startsWith("open: a trial call failed after 5 s");
        ticker.advance(ofSeconds(9));
        int before = target.received().size();
        call(1);
        assertThat(target.received()).hasSize(before);
        ticker.advance(ofSeconds(1));
        call(1);
        assertThat(target.received()).hasSize(before + 1);
    }

    @Test
    void whatWasUnderWayBeforeItOpenedIsNotHeldAgainstItAfterwards() throws Exception {
        target.step(request -> {
            long until = request.equals("slow") ? ticker.nanos() + ofSeconds(6).toNanos() : 0;
            while (ticker.nanos() - until < 0) {
                ticker.parkUntil(until);
            }
            if (request.equals("fine")) {
                return "yes";
            }
            throw request.equals("slow") ? late : refused;
        });
        List<Future<String>> slow = new ArrayList<>();
        for (int call = 0; call < 30; call++) {
            slow.add(inBackground(() -> flow.call("slow")));
        }
        ticker.awaitParked(30);
        call(5);
        assertThat(state()).startsWith("open");
        ticker.advance(ofSeconds(5));
        for (int trial = 0; trial < 3; trial++) {
            flow.call("fine");
        }
        assertThat(state()).startsWith("closed");
        ticker.advance(ofSeconds(1));
        for (Future<String> call : slow) {
            assertThatThrownBy(call::get).hasCause(late);
        }
        assertThat(state()).startsWith("closed");
        call(1);
        assertThat(state()).startsWith("closed");
    }

    @Test
    void itCountsEachOpeningOnce() throws Exception {
        target.step(request -> {
            long until = request.equals("slow") ? ticker.nanos() + ofSeconds(1).toNanos() : 0;
            while (ticker.nanos() - until < 0) {
                ticker.parkUntil(until);
            }
            throw refused;
        });
        Future<String> slow = inBackground(() -> flow.call("slow"));
        ticker.awaitParked(1);
        call(5);
        ticker.advance(ofSeconds(1));
        assertThatThrownBy(slow::get).hasCause(refused);
        assertThat(flow.stages())
                .filteredOn(stage -> stage.stage().equals("breaker"))
                .extracting(StageReport::started)
                .containsExactly(1L);
    }

    @Test
    void onlyAFewTrialCallsPassAtOnce() throws Exception {
        open();
        target.anew().answersAfter(ofSeconds(1), "yes");
        ticker.advance(ofSeconds(5));
        int before = target.received().size();
        List<Future<String>> trials = new ArrayList<>();
        for (int trial = 0; trial < 3; trial++) {
            trials.add(inBackground(() -> flow.call("trial")));
        }
        ticker.awaitParked(3);
        assertThatThrownBy(() -> flow.call("one too many")).hasMessageContaining("trial calls are under way");
        ticker.advance(ofSeconds(1));
        for (Future<String> trial : trials) {
            assertThat(trial.get()).isEqualTo("yes");
        }
        assertThat(target.received().size() - before).isEqualTo(3);
        assertThat(state()).startsWith("closed");
    }

    @Test
    void aTrialThatIsRejectedInsideGivesItsPlaceBack() {
        open();
        target.anew().fails(new Rejected(Rejected.Cause.POOL, "none free"));
        ticker.advance(ofSeconds(5));
        call(10);
        assertThat(state()).startsWith("half-open");
    }

    @Test
    void rejectionsByTheLimitDoNotTripIt() {
        target.fails(new Rejected(Rejected.Cause.LIMIT, "full"));
        call(100);
        assertThat(state()).startsWith("closed");
    }

    @Test
    void aRefusalForGoodShowsThatTheTargetIsAlive() {
        target.fails(new Failed(Failed.Cause.REFUSED, "no such account"));
        call(100);
        assertThat(state()).startsWith("closed");
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> new BreakerSettings(0, 0.5, 20, ofSeconds(5), 3))
                .hasMessageContaining("1 to 10000");
        assertThatThrownBy(() -> new BreakerSettings(5, 0, 20, ofSeconds(5), 3)).hasMessageContaining("above 0");
        assertThatThrownBy(() -> new BreakerSettings(5, 0.5, 0, ofSeconds(5), 3))
                .hasMessageContaining("1 to 1000000");
        assertThatThrownBy(() -> new BreakerSettings(5, 0.5, 20, Duration.ZERO, 3))
                .hasMessageContaining("1 ms to 1 h");
        assertThatThrownBy(() -> new BreakerSettings(5, 0.5, 20, ofSeconds(5), 0))
                .hasMessageContaining("1 to 1000");
    }

    private void open() {
        target.fails(refused);
        call(5);
        assertThat(state()).startsWith("open");
    }

    private void call(int times) {
        for (int time = 0; time < times; time++) {
            try {
                flow.call("q");
            } catch (Exception expected) {
                assertThat(expected).isInstanceOf(dev.penstock.Unanswered.class);
            }
        }
    }

    private String state() {
        return flow.stages().stream()
                .filter(stage -> stage.stage().equals("breaker"))
                .map(StageReport::note)
                .findFirst()
                .orElseThrow();
    }

    private static <T> Future<T> inBackground(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread.ofVirtual().start(task);
        return task;
    }
}
