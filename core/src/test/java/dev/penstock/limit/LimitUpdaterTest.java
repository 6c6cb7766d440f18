package dev.penstock.limit;

import static dev.penstock.limit.Calls.inBackground;
import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Busy;
import dev.penstock.CallContext;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Rejected.Cause;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a limit reports to its controller, and does when that decides. */
@Timeout(120)
class LimitUpdaterTest {
    private final ManualTicker ticker = new ManualTicker();
    private final RecordingController controller = new RecordingController(1);
    private final Limit limit = Limits.of(controller, ticker);

    @Test
    void waitersAreServedWhenTheLimitGrows() throws Exception {
        Permit held = Permit.of(limit);
        Future<Permit> first = inBackground(() -> Permit.of(limit));
        Future<Permit> second = inBackground(() -> Permit.of(limit));
        Future<Permit> third = inBackground(() -> Permit.of(limit));
        ticker.awaitParked(3);
        controller.next = 3;
        ticker.advance(ofMillis(20));
        held.success();
        first.get().success();
        second.get().success();
        third.get().success();
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void aRequestThatFindsNoPermitFreeMakesTheControllerDecide() throws Exception {
        Permit held = Permit.of(limit);
        controller.next = 2;
        Permit.of(limit).success();
        held.success();
        assertThat(controller.turn.blocked()).isEqualTo(1);
        assertThat(controller.updates).containsExactly(new RecordingController.Update(0, 1));
    }

    @Test
    void everyEndingCountsOnceInTheTurnOfItsCall() {
        assertThat(outcomes(ofMillis(20).toNanos()))
                .as("too slow for a refusal")
                .containsExactly(
                        "answered",
                        "dropped",
                        "answered",
                        "none",
                        "none",
                        "none",
                        "answered",
                        "dropped",
                        "none",
                        "none",
                        "none",
                        "none",
                        "none");
        assertThat(outcomes(ofMillis(20).toNanos() + 1))
                .as("fast enough for a refusal")
                .containsExactly(
                        "answered",
                        "refused",
                        "answered",
                        "refused",
                        "refused",
                        "refused",
                        "answered",
                        "refused",
                        "refused",
                        "none",
                        "none",
                        "none",
                        "refused");
    }

    /** The outcomes of calls that take 20 ms. */
    private List<String> outcomes(long fastNanos) {
        RecordingController recording = new RecordingController(1, fastNanos);
        Turn turn = recording.turn;
        Calls calls = new Calls(
                ticker,
                Limits.<Object, Object>filter(Limits.of(recording, ticker)).around(request -> {
                    ticker.advance(ofMillis(20));
                    CallContext.required().tick();
                    if (request instanceof Exception ending) {
                        throw ending;
                    }
                    return request;
                }));
        List<Object> requests = List.of(
                "fine",
                (Busy) () -> true,
                (Busy) () -> false,
                new Failed(Failed.Cause.UNDONE, ""),
                new Failed(Failed.Cause.REFUSED, ""),
                new Failed(Failed.Cause.CONNECT, ""),
                new Failed(Failed.Cause.NOT_THERE, ""),
                new Unknown(Unknown.Cause.TIMEOUT, ""),
                new Unknown(Unknown.Cause.CLOSED, ""),
                new Unknown(Unknown.Cause.INTERRUPTED, ""),
                new Rejected(Cause.POOL, ""),
                new Rejected(Cause.DRAINING, ""),
                new IllegalStateException("HTTP 503"));
        List<String> outcomes = new ArrayList<>();
        for (Object request : requests) {
            long answered = turn.answered();
            long dropped = turn.dropped();
            long refused = turn.refused();
            call(calls, request);
            outcomes.add(
                    turn.answered() > answered
                            ? "answered"
                            : turn.dropped() > dropped ? "dropped" : turn.refused() > refused ? "refused" : "none");
            assertThat(turn.started()).isEqualTo(outcomes.size());
            assertThat(turn.hasEnded(1)).isTrue();
        }
        return outcomes;
    }

    private static void call(Calls calls, Object request) {
        if (request instanceof Exception ending) {
            assertThatThrownBy(() -> calls.call(ending)).isSameAs(ending);
        } else {
            assertThat(catchNothing(calls, request)).isNotNull();
        }
    }

    private static String catchNothing(Calls calls, Object request) {
        try {
            return calls.call(request);
        } catch (Exception unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    @Test
    void theControllerStartsAgainFromHalfWhenTheBreakerHasClosed() {
        controller.permits = 8;
        limit.cutOff();
        assertThat(limit.target().reason()).isEqualTo("unchanged while the breaker is open");
        limit.resumed(7);
        assertThat(controller.restarts).containsExactly("4 at 7: half of the limit before the breaker opened");
        assertThat(limit.target().reason()).isEqualTo("given");
    }

    @Test
    void headroomIsWhatIsFreeLessWhoWaits() throws Exception {
        controller.permits = 3;
        assertThat(limit.headroom()).isEqualTo(3);
        Permit permit = Permit.of(limit);
        assertThat(limit.headroom()).isEqualTo(2);
        controller.permits = 1;
        assertThat(limit.headroom()).isZero();
        inBackground(() -> Permit.of(limit));
        ticker.awaitParked(1);
        assertThat(limit.headroom()).isZero();
        permit.success();
    }
}
