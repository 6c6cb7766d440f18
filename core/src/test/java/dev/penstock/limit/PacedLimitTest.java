package dev.penstock.limit;

import static dev.penstock.limit.Calls.inBackground;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.CallContext;
import dev.penstock.CallContext.Reservation;
import dev.penstock.Deadline;
import dev.penstock.Rejected;
import dev.penstock.Rejected.Cause;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A limit whose target takes ten calls a second. */
@Timeout(120)
class PacedLimitTest {
    private static final double TEN_PER_SECOND = 1e-8;

    private final ManualTicker ticker = new ManualTicker();
    private final RecordingController controller = new RecordingController(4);
    private final Limit limit = Limits.of(controller, ticker);
    private final SharedLimit target = limit.target();

    @BeforeEach
    void boundTheRate() {
        controller.rate.set(TEN_PER_SECOND, 0);
    }

    private long now() {
        return ticker.nanos() / ofMillis(1).toNanos();
    }

    private Future<Permit> within(Duration time) {
        return inBackground(() -> Deadline.in(time, ticker).call(() -> Permit.of(limit)));
    }

    @Test
    void aCallWaitsForItsSlotAndItsTimeCountsFromThere() throws Exception {
        assertThat(Permit.of(limit).start()).isZero();
        Future<Permit> next = inBackground(() -> Permit.of(limit));
        ticker.awaitParked(1);
        ticker.advance(ofMillis(99));
        assertThat(next.isDone()).isFalse();
        assertThat(limit.queue.out()).isEqualTo(2);
        ticker.advance(ofMillis(1));
        assertThat(next.get().start()).isEqualTo(100_000_000);
        assertThat(controller.turn.started()).isEqualTo(2);
    }

    @Test
    void aCallWhoseSlotIsTooLateIsRejectedAtOnceAndLeavesItToOthers() throws Exception {
        Permit.of(limit).success();
        for (int call = 0; call < 20; call++) {
            assertRejected(within(ofMillis(99)), Cause.DEADLINE);
        }
        assertThat(limit.queue.out()).isZero();
        assertThat(controller.turn.started()).isEqualTo(1);
        Future<Permit> patient = within(ofMillis(200));
        ticker.awaitParked(1);
        ticker.advance(ofMillis(100));
        assertThat(patient.get().start()).isEqualTo(100_000_000);
    }

    @Test
    void anInterruptedCallGivesItsPermitBack() throws Exception {
        Permit.of(limit).success();
        assertRejected(Calls.interruptedWait(limit, ticker), Cause.QUEUE, "interrupted while it waited for its slot");
        assertThat(limit.queue.out()).isZero();
    }

    @Test
    void aCallThatHadToWaitForItsPermitWaitsForItsSlotToo() throws Exception {
        controller.permits = 1;
        controller.next = 1;
        Permit first = Permit.of(limit);
        Future<Permit> next = inBackground(() -> Permit.of(limit));
        ticker.awaitParked(1);
        ticker.advance(ofMillis(50));
        first.success();
        while (controller.rate.waiting(ticker.nanos()) < 1) {
            Thread.onSpinWait(); // it may not have woken yet
        }
        ticker.advance(ofMillis(50));
        assertThat(next.get().start()).isEqualTo(100_000_000);
    }

    /** A source admits requests before it hands them to threads. */
    @Test
    void reservationsThatAreUsedLongAfterwardsAreSpacedToo() throws Exception {
        Reservation one = limit.admit(null, Long.MAX_VALUE);
        Reservation other = limit.admit(null, Long.MAX_VALUE);
        ticker.advance(ofSeconds(5));
        use(one);
        assertThat(now()).isEqualTo(5_000);
        Future<String> waits = inBackground(() -> use(other));
        ticker.awaitParked(1);
        ticker.advance(ofMillis(100));
        waits.get();
        assertThat(limit.queue.out()).isZero();
    }

    private String use(Reservation reservation) throws Exception {
        CallContext callContext = CallContext.begin(ticker, reservation);
        try {
            Permit.of(limit).success();
        } finally {
            callContext.end();
        }
        return "used";
    }

    @Test
    void aCallWithoutADeadlineWaitsForItsSlotAsLongAsForAPermit() throws Exception {
        limit.pinQueueTime(ofMillis(99));
        Permit.of(limit).success();
        assertRejected(inBackground(() -> Permit.of(limit)), Cause.QUEUE);
        limit.pinQueueTime(ofMillis(100));
        Future<Permit> patient = inBackground(() -> Permit.of(limit));
        ticker.awaitParked(1);
        ticker.advance(ofMillis(100));
        assertThat(patient.get().start()).isEqualTo(100_000_000);
    }

    @Test
    void aPinnedRateHoldsWhateverTheNumberOfPermits() throws Exception {
        target.pinRate(10.0, 0);
        target.pin(3, 0);
        assertThat(target.pace(0, 0)).isZero();
        assertThat(target.pace(0, 100_000_000)).isEqualTo(100_000_000);
        assertThat(target.pace(0, 100_000_000)).as("would have to wait longer").isEqualTo(-1);
        assertThat(target.rate().value()).isEqualTo("10/s");
        assertThat(target.rate().pinned()).isTrue();
        controller.rate.clear();
        target.pinRate(null, 0);
        assertThat(target.pace(0, 0)).isZero();
        assertThat(target.rate().value()).isEqualTo("none");
        assertThat(target.rate().pinned()).isFalse();
    }

    @Test
    void aRateFoundByTheControllerHoldsUnlessTheNumberOfPermitsIsPinned() throws Exception {
        assertThat(target.pace(0, 0)).isZero();
        assertThat(target.pace(0, 0)).isEqualTo(-1);
        target.pin(3, 0);
        assertThat(target.pace(0, 0)).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 0.09, 1_000_001, Double.NaN, Double.POSITIVE_INFINITY})
    void aRateOutOfBoundsIsNotPinned(double rate) {
        target.pinRate(10.0, 0);
        assertThatThrownBy(() -> target.pinRate(rate, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0.1/s to 1000000/s, not " + rate);
        assertThat(target.rate().value()).isEqualTo("10/s");
    }

    private static void assertRejected(Future<Permit> call, Cause why) {
        assertRejected(call, why, "and more come; send fewer, or raise the rate");
    }

    private static void assertRejected(Future<Permit> call, Cause why, String message) {
        assertThatThrownBy(call::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        Rejected.class, it -> assertThat(it.why()).isEqualTo(why))
                .hasMessageContaining(message);
    }
}
