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

/** What a limit tells its controller, and does when that decides. */
@Timeout(120)
class LimitUpdaterTest {
    private final ManualTicker ticker = new ManualTicker();
    private final Growing controller = new Growing();
    private final Limit limit = Limits.of(controller, ticker);

    @Test
    void waitersAreServedWhenTheLimitGrows() throws Exception {
        Permit held = Permit.of(limit);
        controller.next = 3;
        Future<Permit> first = inBackground(() -> Permit.of(limit));
        Future<Permit> second = inBackground(() -> Permit.of(limit));
        Future<Permit> third = inBackground(() -> Permit.of(limit));
        ticker.awaitParked(3);
        ticker.advance(ofMillis(20));
        held.success();
        first.get().success();
        second.get().success();
        third.get().success();
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void whatTellsOfTheTargetIsTheTimeOfAnswersAndDrops() throws Exception {
        Calls calls = new Calls(ticker, Limits.<Object, Object>filter(limit).around(request -> {
            ticker.advance(ofMillis(20));
            CallContext.required().tick();
            if (request instanceof Exception ending) {
                throw ending;
            }
            return request;
        }));
        calls.call("fine");
        calls.call((Busy) () -> true);
        calls.call((Busy) () -> false);
        fails(calls, new Failed(Failed.Cause.UNDONE, ""));
        fails(calls, new Failed(Failed.Cause.REFUSED, ""));
        fails(calls, new Failed(Failed.Cause.CONNECT, ""));
        fails(calls, new Failed(Failed.Cause.NOT_THERE, ""));
        fails(calls, new Unknown(Unknown.Cause.TIMEOUT, ""));
        fails(calls, new Unknown(Unknown.Cause.CLOSED, ""));
        fails(calls, new Unknown(Unknown.Cause.INTERRUPTED, ""));
        fails(calls, new Rejected(Cause.POOL, ""));
        fails(calls, new Rejected(Cause.DRAINING, ""));
        fails(calls, new IllegalStateException("HTTP 503"));
        assertThat(controller.samples.stream().map(LimitUpdaterTest::outcome))
                .containsExactly(
                        "answered",
                        "dropped",
                        "answered",
                        "failed",
                        "failed",
                        "failed",
                        "answered",
                        "dropped",
                        "failed",
                        "ignored",
                        "ignored",
                        "ignored",
                        "failed");
        assertThat(controller.samples)
                .filteredOn(sample -> sample.failed() == 1)
                .allSatisfy(failed -> assertThat(failed.failedNanos()).isEqualTo(20_000_000))
                .hasSize(5);
    }

    @Test
    void theControllerStartsAgainFromHalfWhenTheBreakerHasClosed() {
        controller.now = 8;
        limit.cutOff();
        assertThat(limit.target().reason()).isEqualTo("unchanged while the breaker is open");
        limit.resumed(7);
        assertThat(controller.heard).containsExactly("4 at 7: half of the limit before the breaker opened");
        assertThat(limit.target().reason()).isEqualTo("given");
    }

    @Test
    void headroomIsWhatIsFreeLessWhoWaits() throws Exception {
        controller.now = 3;
        assertThat(limit.headroom()).isEqualTo(3);
        Permit permit = Permit.of(limit);
        assertThat(limit.headroom()).isEqualTo(2);
        controller.now = 1;
        assertThat(limit.headroom()).isZero();
        inBackground(() -> Permit.of(limit));
        ticker.awaitParked(1);
        assertThat(limit.headroom()).isZero();
        permit.success();
    }

    private static void fails(Calls calls, Exception ending) {
        assertThatThrownBy(() -> calls.call(ending)).isSameAs(ending);
    }

    private static String outcome(LoadSample sample) {
        assertThat(sample.answered() + sample.dropped() + sample.failed()).isBetween(0L, 1L);
        if (sample.failed() == 1) {
            return "failed";
        }
        return sample.answered() == 1 ? "answered" : sample.dropped() == 1 ? "dropped" : "ignored";
    }

    private static final class Growing implements LimitController {
        private final List<LoadSample> samples = new ArrayList<>();
        private final List<String> heard = new ArrayList<>();
        private volatile int now = 1;
        private volatile int next;

        @Override
        public int permits() {
            return now;
        }

        @Override
        public String reason() {
            return "given";
        }

        @Override
        public void sample(LoadSample sample) {
            samples.add(sample);
            now = next > 0 ? next : now;
        }

        @Override
        public void restart(int permits, long at, String why) {
            heard.add("%d at %d: %s".formatted(permits, at, why));
        }
    }
}
