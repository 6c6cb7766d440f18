package dev.penstock.breaker;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.BreakerSettings;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.StageReport;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.ScriptedService;
import dev.penstock.meter.AttemptMeter;
import dev.penstock.meter.Meter;
import dev.penstock.meter.MeterFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class BreakerTest {
    private static final BreakerSettings FOR_FIVE_SECONDS = new BreakerSettings(5, 0.5, 20, ofSeconds(5), 3);

    private final Exception refused = new Failed(Failed.Cause.CONNECT, "connection refused");
    private final Exception late = new Unknown(Unknown.Cause.TIMEOUT, "no answer");

    private final ManualTicker ticker = new ManualTicker();
    private final ScriptedService<String, String> target = ScriptedService.on(ticker);
    private final Flow<String, String> flow =
            Flow.named("payments").ticker(ticker).breaker(FOR_FIVE_SECONDS).to(target);

    @Test
    void fiveConnectFailuresInARowOpenItWhenTheRowHasLastedForASecond() {
        target.fails(refused);
        call(1);
        ticker.advance(ofSeconds(1));
        call(3);
        assertThat(state()).startsWith("closed");
        call(1);
        assertThat(state()).startsWith("open: 5 calls in a row could not connect, for 1 s");
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
        for (int second = 0; second < 9; second++) {
            call(1);
            ticker.advance(ofSeconds(1));
        }
        assertThat(state()).startsWith("closed");
        call(1);
        assertThat(state()).startsWith("open: 5 calls in a row");
    }

    @Test
    void halfOfTwentyCallsFailingForASecondOpensIt() {
        for (int call = 0; call < 10; call++) {
            target.answers("yes");
        }
        target.fails(late);
        call(19);
        ticker.advance(ofSeconds(2));
        call(1);
        assertThat(state()).as("the share is reached just now").startsWith("closed");
        ticker.advance(ofSeconds(1));
        call(1);
        assertThat(state()).startsWith("open: 11 of the last 21 calls failed");
    }

    @Test
    void aBurstOfFailuresAmongGoodCallsDoesNotOpenIt() {
        carry(50);
        target.anew().fails(late);
        call(200);
        ticker.advance(ofMillis(900));
        target.anew().fails(refused);
        call(200);
        assertThat(state()).startsWith("closed");
        carry(10);
        for (int second = 0; second < 5; second++) {
            carry(10);
            target.anew().fails(late);
            call(1);
        }
        assertThat(state()).as("stray failures later on").startsWith("closed: 405 of 515 calls failed");
    }

    @Test
    void callsThatAreOutAndNeverAnsweredOpenIt() throws Exception {
        carry(50);
        List<Future<String>> out = goOut(20, ofSeconds(3));
        lookFor(ofMillis(1_900));
        assertThat(state()).startsWith("closed");
        lookFor(ofMillis(200));
        assertThat(state()).startsWith("open: 20 calls are in flight and none was answered for 2 s");
        assertThatThrownBy(() -> flow.call("q")).isInstanceOf(Rejected.class);
        ticker.advance(ofSeconds(1));
        target.anew().answers("now");
        for (Future<String> call : out) {
            call.get();
        }
        assertThat(flow.call("q"))
                .as("those that were out were answered after all")
                .isEqualTo("now");
        assertThat(state()).startsWith("closed");
    }

    @Test
    void aSilenceIsLongAgainstTheAnswerTime() throws Exception {
        List<Future<String>> slow = goOut(20, ofSeconds(1));
        ticker.advance(ofSeconds(1));
        for (Future<String> call : slow) {
            call.get();
        }
        goOut(20, ofSeconds(60));
        lookFor(ofMillis(4_900));
        assertThat(state()).startsWith("closed");
        lookFor(ofMillis(300));
        assertThat(state()).startsWith("open").contains("answers took 1 s before");
        ticker.advance(ofSeconds(60));
    }

    @Test
    void noSilenceCountsBeforeAnAnswerTimeIsKnown() {
        goOut(40, ofSeconds(60));
        lookFor(ofSeconds(20));
        assertThat(state()).startsWith("closed");
        ticker.advance(ofSeconds(60));
    }

    @Test
    void aFewSlowCallsAreNoSilence() {
        carry(50);
        goOut(19, ofSeconds(60));
        lookFor(ofSeconds(10));
        assertThat(state()).startsWith("closed");
        ticker.advance(ofSeconds(60));
    }

    @Test
    void itsListenerHearsEachChangeOnceAndInOrder() throws Exception {
        List<String> noAnswer = new ArrayList<>();
        Breaker breaker = new Breaker(FOR_FIVE_SECONDS, new AttemptMeter(ticker, "flow"), ticker);
        breaker.onChange(new Breaker.Listener() {
            @Override
            public void cutOff(long now) {
                noAnswer.add("cut off " + now / 1_000_000_000L);
            }

            @Override
            public void resumed(long now) {
                noAnswer.add("resumed " + now / 1_000_000_000L);
            }
        });
        Meter meter = new Meter(ticker);
        Service<String, String> guarded =
                new BreakerFilter<String, String>(breaker, callContext -> false).around(target);
        Service<String, String> service = new MeterFilter<String, String>(meter).around(guarded);
        target.fails(refused);
        for (int second = 0; second <= 10; second++) {
            tryCall(service);
            ticker.advance(ofSeconds(1));
        }
        assertThat(breaker.opened()).as("a trial failed").isEqualTo(2);
        assertThat(noAnswer).containsExactly("cut off 4");
        ticker.advance(ofSeconds(10));
        target.anew().answers("yes");
        for (int trial = 0; trial < 5; trial++) {
            service.call("q");
        }
        assertThat(noAnswer).containsExactly("cut off 4", "resumed 21");
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
        call(1);
        assertThat(state()).isEqualTo("half-open: 1 of 3 trial calls were answered");
        call(1);
        assertThat(state()).startsWith("closed");
    }

    @Test
    void failedTrialsOpenItForTwiceAsLong() {
        open();
        ticker.advance(ofSeconds(5));
        call(1);
        assertThat(state()).startsWith("half-open");
        call(1);
        assertThat(state()).startsWith("open: 2 of 2 trial calls failed after 5 s");
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
            long until = request.equals("slow") ? ticker.nanos() + ofSeconds(7).toNanos() : 0;
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
        cutOff();
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
            long until = request.equals("slow") ? ticker.nanos() + ofSeconds(2).toNanos() : 0;
            while (ticker.nanos() - until < 0) {
                ticker.parkUntil(until);
            }
            throw refused;
        });
        Future<String> slow = inBackground(() -> flow.call("slow"));
        ticker.awaitParked(1);
        cutOff();
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
        assertThatThrownBy(() -> flow.call("one too many")).hasMessageContaining("trial calls are in flight");
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
                .hasMessageContaining("1ms to 1h");
        assertThatThrownBy(() -> new BreakerSettings(5, 0.5, 20, ofSeconds(5), 0))
                .hasMessageContaining("1 to 1000");
    }

    private void open() {
        target.fails(refused);
        cutOff();
    }

    /** Five calls that cannot connect, over one second. */
    private void cutOff() {
        call(4);
        ticker.advance(ofSeconds(1));
        call(1);
        assertThat(state()).startsWith("open");
    }

    /** So many calls within a second, all answered. */
    private void carry(int calls) {
        target.anew().answers("yes");
        for (int call = 0; call < calls; call++) {
            call(1);
            ticker.advance(ofSeconds(1).dividedBy(calls));
        }
    }

    /** So many calls that are at the target when this returns, and are answered after some time. */
    private List<Future<String>> goOut(int calls, Duration time) {
        target.anew().step(request -> {
            if (request.equals("look")) {
                throw new Rejected(Rejected.Cause.POOL, "it says nothing about the target");
            }
            long until = ticker.nanos() + time.toNanos();
            while (ticker.nanos() - until < 0) {
                ticker.parkUntil(until);
            }
            return "late";
        });
        List<Future<String>> out = new ArrayList<>();
        for (int call = 0; call < calls; call++) {
            out.add(inBackground(() -> flow.call("q")));
        }
        ticker.awaitParked(calls);
        return out;
    }

    /** Lets time pass in which calls come that say nothing. */
    private void lookFor(Duration time) {
        for (long waited = 0; waited < time.toMillis(); waited += 100) {
            ticker.advance(ofMillis(100));
            assertThatThrownBy(() -> flow.call("look")).isInstanceOf(Rejected.class);
        }
    }

    private void call(int times) {
        for (int time = 0; time < times; time++) {
            tryCall(flow);
        }
    }

    private static void tryCall(Service<String, String> service) {
        try {
            service.call("q");
        } catch (Exception expected) {
            assertThat(expected).isInstanceOf(dev.penstock.Unanswered.class);
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
