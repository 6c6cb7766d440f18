package dev.penstock.limit;

import static dev.penstock.limit.Calls.inBackground;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Deadline;
import dev.penstock.Prioritized;
import dev.penstock.Rejected;
import dev.penstock.Rejected.Cause;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The limit with a queue that finds its bounds, once it has seen how long calls take. */
@Timeout(120)
class EarlyRejectionTest {
    private final ManualTicker ticker = new ManualTicker();
    private final Limit limit = Limits.of(new FixedLimit(1, "given"), ticker);

    @Test
    void theLineHoldsWhatCanBeServedInTimeAndTheNextIsToldAtOnce() throws Exception {
        callsTake(ofMillis(100));
        limit.pinQueueTime(ofMillis(200));
        assertThat(limit.queueLengthBound().value()).isEqualTo("2");
        assertThat(limit.queueLengthBound().reason())
                .isEqualTo("as many as 1 permits, each held for 100 ms, serve in 200 ms");
        Permit held = Permit.of(limit);
        Future<Permit> first = inBackground(() -> Permit.of(limit));
        ticker.awaitParked(1);
        Future<Permit> second = inBackground(() -> Permit.of(limit));
        ticker.awaitParked(2);
        assertRejected(
                () -> Permit.of(limit), Cause.LIMIT, "all 1 permits are in use and 2 requests wait, for about 300 ms");
        held.success();
        first.get().success();
        second.get().success();
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void whoWaitsIsToldAsSoonAsAnAnswerCannotComeInTime() throws Exception {
        callsTake(ofMillis(100));
        Permit held = Permit.of(limit);
        Future<Permit> waiter = inBackground(within(ofMillis(300), () -> Permit.of(limit)));
        ticker.awaitParked(1);
        ticker.advance(ofMillis(169));
        assertThat(limit.queue.waiting()).isEqualTo(1);
        ticker.advance(ofMillis(1));
        assertRejected(
                waiter,
                Cause.DEADLINE,
                "too little time was left after the request waited for a permit (an answer takes");
        held.success();
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void whoCannotMakeItEvenWithoutWaitingDoesNotWait() throws Exception {
        callsTake(ofMillis(100));
        Permit.of(limit);
        assertRejected(
                within(ofMillis(120), () -> Permit.of(limit)), Cause.DEADLINE, "120 ms are left, but an answer takes");
    }

    @Test
    void aFreePermitIsNotGivenToTheHopelessButForOneInAWhile() throws Exception {
        callsTake(ofMillis(100));
        Callable<Permit> hopeless = within(ofMillis(99), () -> Permit.of(limit));
        hopeless.call().ignored();
        assertRejected(hopeless, Cause.DEADLINE, "99 ms are left, but an answer takes about 100 ms");
        ticker.advance(ofMillis(99));
        assertRejected(hopeless, Cause.DEADLINE, "99 ms are left");
        ticker.advance(ofMillis(2));
        hopeless.call().ignored();
        assertRejected(hopeless, Cause.DEADLINE, "99 ms are left");
        within(ofMillis(101), () -> Permit.of(limit)).call().success();
    }

    @Test
    void trialsThatChangeNothingBecomeRare() throws Exception {
        callsTake(ofMillis(300));
        int sent = 0;
        for (int request = 0; request < 100; request++) {
            try {
                Permit permit = within(ofMillis(250), () -> Permit.of(limit)).call();
                sent++;
                ticker.advance(ofMillis(250));
                permit.ignored();
                ticker.advance(ofMillis(50));
            } catch (Rejected hopeless) {
                ticker.advance(ofMillis(300));
            }
        }
        assertThat(sent).isBetween(2, 8);
    }

    @Test
    void aTargetThatHasBecomeQuickIsFoundOutThoughAllAreHurried() throws Exception {
        callsTake(ofSeconds(1));
        int answered = 0;
        for (int time = 0; time < 2_000; time++) {
            try {
                Permit permit = within(ofMillis(100), () -> Permit.of(limit)).call();
                ticker.advance(ofMillis(10));
                permit.success();
                answered++;
            } catch (Rejected hopeless) {
                ticker.advance(ofMillis(10));
            }
        }
        // 20 s: at first one is tried for each second that an answer is thought to take; once an answer is expected in
        // time all are sent.
        assertThat(answered).isGreaterThan(1_000);
    }

    @Test
    void theLeastUrgentIsShedForAMoreUrgentOne() throws Exception {
        callsTake(ofMillis(100));
        limit.pinQueueTime(ofMillis(200));
        Calls calls = new Calls(ticker, Limits.<Object, Object>filter(limit).around(request -> "done"));
        Permit held = Permit.of(limit);
        Future<String> early = inBackground(() -> calls.call((Prioritized) () -> 5));
        ticker.awaitParked(1);
        Future<String> late = inBackground(() -> calls.call((Prioritized) () -> 9));
        ticker.awaitParked(2);
        assertRejected(() -> calls.call((Prioritized) () -> 7), Cause.LIMIT, "2 requests wait");
        Future<String> urgent = inBackground(() -> calls.call((Prioritized) () -> -1));
        assertRejected(late, Cause.LIMIT, "displaced from the queue");
        assertThat(limit.queue.waiting()).isEqualTo(2);
        held.success();
        assertThat(urgent.get()).isEqualTo("done");
        assertThat(early.get()).isEqualTo("done");
    }

    @Test
    void urgencyMayComeFromAFunction() throws Exception {
        Limit byWord = Limits.of(
                new FixedLimit(1, "given"),
                QueueSettings.automatic().withLength(1).withUrgency(word -> word.equals("now") ? 0 : 6),
                ticker,
                () -> 0);
        Calls calls = new Calls(ticker, Limits.<Object, Object>filter(byWord).around(request -> request + "!"));
        Permit held = Permit.of(byWord);
        Future<String> later = inBackground(() -> calls.call("later"));
        ticker.awaitParked(1);
        Future<String> now = inBackground(() -> calls.call("now"));
        assertRejected(later, Cause.LIMIT, "displaced from the queue");
        held.success();
        assertThat(now.get()).isEqualTo("now!");
    }

    @Test
    void theAdviceWhenToComeBackIsWhenTheLineIsServedAndSpread() throws Exception {
        assertThat(adviceAt(() -> 0)).isBetween(ofMillis(250), ofMillis(251));
        assertThat(adviceAt(() -> -1)).isBetween(ofMillis(749), ofMillis(751));
        assertThat(adviceAt(() -> Long.MIN_VALUE)).isBetween(ofMillis(500), ofMillis(501));
    }

    private static Duration adviceAt(java.util.random.RandomGenerator random) throws Exception {
        ManualTicker clock = new ManualTicker();
        Limit busy = Limits.of(
                new FixedLimit(1, "given"),
                QueueSettings.automatic().withLength(1).withTime(ofSeconds(9)),
                clock,
                random);
        Permit permit = Permit.of(busy);
        clock.advance(ofMillis(500));
        permit.success();
        Permit.of(busy);
        inBackground(() -> Permit.of(busy));
        clock.awaitParked(1);
        return catchThrowableOfType(Rejected.class, () -> Permit.of(busy)).retryAfter();
    }

    @Test
    void pinnedBoundsSaySo() {
        Limit pinned = Limits.fixed(1, 7, ofMillis(300), ticker);
        assertThat(pinned.queueLengthBound().pinned()).isTrue();
        assertThat(pinned.queueLengthBound().value()).isEqualTo("7");
        assertThat(pinned.queueTimeBound().pinned()).isTrue();
        assertThat(pinned.queueTimeBound().value()).isEqualTo("300 ms");
    }

    /** One call after the other, until the limit knows how long they take. */
    private void callsTake(Duration time) throws Exception {
        for (int i = 0; i < 3; i++) {
            Permit permit = Permit.of(limit);
            ticker.advance(time);
            permit.success();
        }
        // Times are kept in steps of 256 ns.
        assertThat(limit.queueTimeBound().reason()).doesNotContain("measured");
    }

    private <T> Callable<T> within(Duration time, Callable<T> work) {
        return () -> Deadline.in(time, ticker).call(work);
    }

    private static void assertRejected(Callable<?> call, Cause why, String message) {
        assertThatThrownBy(call::call)
                .isInstanceOfSatisfying(
                        Rejected.class, it -> assertThat(it.why()).isEqualTo(why))
                .hasMessageContaining(message);
    }

    private static void assertRejected(Future<?> waiter, Cause why, String message) {
        assertThatThrownBy(waiter::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        Rejected.class, it -> assertThat(it.why()).isEqualTo(why))
                .hasMessageContaining(message);
    }
}
