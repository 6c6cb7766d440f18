package dev.penstock.deadline;

import static java.time.Duration.ofMillis;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Rejected;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that end about when their deadline does, on real threads: no interrupt reaches anybody else, no permit is lost. */
@Timeout(240)
class TimeLimiterRealClockTest {
    private static final int CALLERS = 8;
    private static final int CALLS = 200;

    @Test
    void aTargetThatNeverEndsKeepsNobody() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Flow<String, String> flow = Flow.named("payments")
                .deadline(ofMillis(200))
                .to(request -> {
                    never.await();
                    return request;
                });
        assertThat(carry(flow)).isEqualTo("timeout");
        assertThat(flow.accounting().isSettled()).isTrue();
    }

    @Test
    void callsThatRaceTheirDeadlineLeaveNoInterruptAndNoPermitBehind() throws Exception {
        Flow<String, String> flow = Flow.named("payments")
                .deadline(ofMillis(2))
                .concurrency(CALLERS)
                .to(request -> {
                    // Returns early when it is interrupted, and leaves the interrupt as it is.
                    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(4_000_000));
                    return request;
                });
        List<FutureTask<String>> callers = new ArrayList<>();
        for (int number = 0; number < CALLERS; number++) {
            FutureTask<String> caller = new FutureTask<>(() -> {
                for (int call = 0; call < CALLS; call++) {
                    String ended = carry(flow);
                    assertThat(Thread.currentThread().isInterrupted()).as(ended).isFalse();
                }
                return "done";
            });
            callers.add(caller);
            (number % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform()).start(caller);
        }
        for (FutureTask<String> caller : callers) {
            assertThat(caller.get(120, TimeUnit.SECONDS)).isEqualTo("done");
        }
        assertThat(flow.accounting().isSettled()).isTrue();
        assertThat(flow.accounting().offered()).isEqualTo(CALLERS * CALLS);
        TimeLimiterTest.await(() -> flow.strayCalls() == 0);
        assertThat(flow.headroom()).isEqualTo(CALLERS);
    }

    private static String carry(Flow<String, String> flow) throws Exception {
        try {
            return flow.call("q");
        } catch (Unknown unknown) {
            return unknown.causeName();
        } catch (Rejected noTime) {
            return noTime.causeName();
        }
    }
}
