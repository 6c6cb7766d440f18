package dev.penstock.limit;

import static dev.penstock.limit.Calls.inBackground;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.CallContext;
import dev.penstock.CallContext.Reservation;
import dev.penstock.Rejected;
import dev.penstock.Rejected.Cause;
import dev.penstock.Service;
import dev.penstock.kit.ManualTicker;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Places that are taken before the transaction begins. */
@Timeout(120)
class PlaceTest {
    private static final long NO_DEADLINE = Long.MAX_VALUE;

    private final ManualTicker ticker = new ManualTicker();
    private final Limit limit = Limits.fixed(1, 2, ofMillis(500), ticker);
    private final Service<Object, Object> service = Limits.<Object, Object>filter(limit)
            .around(request -> request + " with " + limit.queue.out() + " in flight");
    private final Calls calls = new Calls(ticker, service);

    @Test
    void aPlaceWithAPermitIsUsedByTheTransactionThatBringsIt() throws Exception {
        Reservation place = limit.admit("pay", NO_DEADLINE);
        assertThat(limit.queue.out()).isEqualTo(1);
        assertThat(limit.headroom()).isZero();
        assertThat(calls.call("pay", place)).isEqualTo("pay with 1 in flight");
        assertThat(limit.queue.out()).isZero();
        place.close();
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void aPlaceThatIsNeverUsedIsGivenBackOnce() throws Exception {
        Reservation place = limit.admit("pay", NO_DEADLINE);
        place.close();
        place.close();
        assertThat(limit.queue.out()).isZero();
        assertThat(limit.headroom()).isEqualTo(1);
    }

    @Test
    void aRepeatStepsInAnew() throws Exception {
        Reservation place = limit.admit("pay", NO_DEADLINE);
        CallContext callContext = CallContext.begin(ticker, place);
        assertThat(service.call("pay")).isEqualTo("pay with 1 in flight");
        assertThat(service.call("again")).isEqualTo("again with 1 in flight");
        callContext.end();
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void aPlaceThatWasGivenBackBringsNothing() throws Exception {
        Reservation place = limit.admit("pay", NO_DEADLINE);
        place.close();
        assertThat(calls.call("pay", place)).isEqualTo("pay with 1 in flight");
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void theTransactionWaitsForThePermitOfAPlaceInLine() throws Exception {
        Permit held = Permit.of(limit);
        Reservation place = limit.admit("pay", NO_DEADLINE);
        assertThat(limit.queue.waiting()).isEqualTo(1);
        Future<String> call = inBackground(() -> calls.call("pay", place));
        ticker.awaitParked(1);
        held.success();
        assertThat(call.get()).isEqualTo("pay with 1 in flight");
        assertThat(limit.queue.out()).isZero();
        assertThat(limit.report().times().getTotalCount()).isEqualTo(1);
    }

    @Test
    void aPlaceInLineKeepsItsTurnWhileItsTransactionIsOnTheWay() throws Exception {
        Permit held = Permit.of(limit);
        Reservation place = limit.admit("pay", NO_DEADLINE);
        Future<Permit> later = inBackground(() -> Permit.of(limit));
        ticker.awaitParked(1);
        held.success();
        assertThat(limit.queue.out()).isEqualTo(1);
        assertThat(later.isDone()).isFalse();
        assertThat(calls.call("pay", place)).isEqualTo("pay with 1 in flight");
        later.get().success();
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void aPlaceInLineThatIsGivenBackLeavesTheLine() throws Exception {
        Permit held = Permit.of(limit);
        Reservation place = limit.admit("pay", NO_DEADLINE);
        place.close();
        assertThat(limit.queue.waiting()).isZero();
        held.success();
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void aPlaceThatGotItsPermitMeanwhileGivesItToTheNext() throws Exception {
        Permit held = Permit.of(limit);
        Reservation place = limit.admit("pay", NO_DEADLINE);
        Future<Permit> later = inBackground(() -> Permit.of(limit));
        ticker.awaitParked(1);
        held.success();
        place.close();
        later.get().success();
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void whoWaitsForAPlaceThatIsGivenBackHearsOfIt() throws Exception {
        Permit held = Permit.of(limit);
        Reservation place = limit.admit("pay", NO_DEADLINE);
        Future<String> call = inBackground(() -> calls.call("pay", place));
        ticker.awaitParked(1);
        place.close();
        assertThatThrownBy(call::get)
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("its reservation was closed");
        held.success();
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void aPlaceIsTakenOrRefusedAtOnce() throws Exception {
        Permit.of(limit);
        limit.admit("one", NO_DEADLINE);
        limit.admit("two", NO_DEADLINE);
        assertThatThrownBy(() -> limit.admit("three", NO_DEADLINE))
                .isInstanceOfSatisfying(
                        Rejected.class, it -> assertThat(it.why()).isEqualTo(Cause.LIMIT))
                .hasMessage("all 1 permits are in use and 2 requests wait");
    }

    @Test
    void aTransactionThatComesTooLateGivesThePermitBack() throws Exception {
        Reservation place = limit.admit("pay", ofSeconds(1).toNanos());
        ticker.advance(ofSeconds(1));
        CallContext callContext = CallContext.begin(ticker, place);
        callContext.allowAtMost(0);
        assertThatThrownBy(() -> service.call("pay"))
                .isInstanceOfSatisfying(
                        Rejected.class, it -> assertThat(it.why()).isEqualTo(Cause.DEADLINE));
        callContext.end();
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void aPlaceInLineThatNobodyComesForIsRefusedInTime() throws Exception {
        Permit held = Permit.of(limit);
        Reservation place = limit.admit("pay", NO_DEADLINE);
        ticker.advance(ofMillis(500));
        assertThatThrownBy(() -> calls.call("pay", place)).hasMessageContaining("the request waited 500 ms");
        assertThat(limit.queue.waiting()).isZero();
        held.success();
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void aPlaceAtAnotherLimitIsLeftAlone() throws Exception {
        Limit other = Limits.fixed(1, 0, ofMillis(0), ticker);
        Reservation place = limit.admit("pay", NO_DEADLINE);
        CallContext callContext = CallContext.begin(ticker, place);
        Service<Object, Object> outer = Limits.<Object, Object>filter(other).around(request -> {
            CallContext inner = CallContext.begin(ticker);
            try {
                return service.call(request);
            } finally {
                inner.end();
            }
        });
        assertThat(outer.call("pay")).isEqualTo("pay with 1 in flight");
        callContext.end();
        assertThat(other.queue.out()).isZero();
        assertThat(limit.queue.out()).isZero();
    }
}
