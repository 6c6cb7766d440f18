package dev.penstock.races.overload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.lab.load.Intake;
import dev.penstock.limit.AdaptiveLimit;
import dev.penstock.races.overload.BulkheadGate.Tuning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each contestant admits what it should, rejects where the package documentation says so, and releases its permits.
 * Real threads.
 */
@Timeout(60)
class ContestantsRealClockTest {
    private static final Tuning TUNING = new Tuning(40, Duration.ZERO);

    /** The number of requests that each can hold, including its queue. */
    private static final Map<String, Integer> ROOM = Map.of(
            OverloadContestants.POOL_100_QUEUE_100,
            200,
            OverloadContestants.BULKHEAD_TUNED,
            40,
            "bulkhead-default",
            25,
            OverloadContestants.GRADIENT2,
            20,
            OverloadContestants.VEGAS,
            20,
            "hystrix",
            200,
            "sentinel",
            100,
            OverloadContestants.PENSTOCK,
            AdaptiveLimit.INITIAL + 1_024);

    static List<String> all() {
        return OverloadContestants.ALL.names();
    }

    static Set<String> limited() {
        return ROOM.keySet();
    }

    private static LimitedStage before(String contestant, Service<Long, Long> stage) {
        return OverloadContestants.ALL.named(contestant).before(stage, TUNING, 1);
    }

    @ParameterizedTest
    @MethodSource("all")
    void processesOfferedAndCalledRequests(String contestant) throws Exception {
        try (LimitedStage doorway = before(contestant, request -> 2 * request)) {
            List<Ending> endings = new ArrayList<>();
            for (long i = 0; i < 10; i++) {
                endings.add(offered(doorway, i));
                assertThat(doorway.call(i)).isEqualTo(2 * i);
            }
            for (int i = 0; i < 10; i++) {
                assertThat(endings.get(i).get()).isEqualTo(2L * i);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void reportsFailures(String contestant) throws Exception {
        Service<Long, Long> failing = request -> {
            throw new IllegalStateException("broken");
        };
        try (LimitedStage doorway = before(contestant, failing)) {
            assertThatThrownBy(() -> offered(doorway, 1).get()).hasRootCauseMessage("broken");
            assertThatThrownBy(() -> doorway.call(1L)).hasStackTraceContaining("broken");
        }
    }

    @ParameterizedTest
    @MethodSource("limited")
    void rejectsImmediatelyWhenFullAndRecovers(String contestant) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Service<Long, Long> held = request -> {
            over.await();
            return request;
        };
        try (LimitedStage doorway = before(contestant, held)) {
            List<Ending> inside = new ArrayList<>();
            for (int i = 0; i < Objects.requireNonNull(ROOM.get(contestant)); i++) {
                inside.add(offered(doorway, i));
            }
            assertThat(inside).noneMatch(Ending::isRejected);

            Ending refused = offered(doorway, -1);
            // Penstock admits more while no answer has arrived, if offering so many takes long.
            for (int i = 0;
                    contestant.equals(OverloadContestants.PENSTOCK) && !refused.isRejected() && i < 5_000;
                    i++) {
                inside.add(refused);
                refused = offered(doorway, -1);
            }

            assertThat(refused.isRejected()).as("on the thread that offered it").isTrue();
            assertThatThrownBy(() -> doorway.call(-1L)).isInstanceOf(Rejected.class);
            over.countDown();
            for (Ending ending : inside) {
                ending.await();
            }
            await(doorway);
        }
    }

    /** A permit may be released just after the answer was delivered. */
    private static void await(LimitedStage doorway) throws Exception {
        while (true) {
            try {
                assertThat(doorway.call(5L)).isEqualTo(5);
                return;
            } catch (Rejected stillFull) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void bulkheadWithAWaitDecidesOnTheVirtualThread() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        Service<Long, Long> held = request -> {
            over.await();
            return request;
        };
        Tuning waiting = new Tuning(1, Duration.ofSeconds(30));
        try (LimitedStage doorway = BulkheadGate.around(held, waiting)) {
            Ending first = offered(doorway, 1);
            Ending second = offered(doorway, 2); // returns immediately, although its wait is long
            over.countDown();

            assertThat(first.get() + second.get()).isEqualTo(3);
        }
        Tuning brief = new Tuning(1, Duration.ofMillis(5));
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        try (LimitedStage doorway = BulkheadGate.around(
                request -> {
                    inside.countDown();
                    never.await();
                    return request;
                },
                brief)) {
            offered(doorway, 1);
            inside.await(); // on virtual threads, the first offered is not necessarily the first admitted
            Ending refused = offered(doorway, 2);
            Ending other = offered(doorway, 3);
            refused.await();
            other.await();
            assertThat(List.of(refused, other)).allMatch(Ending::isRejected);
        }
    }

    @Test
    void reportsItsLimit() {
        try (LimitedStage gradient = before(OverloadContestants.GRADIENT2, request -> request);
                LimitedStage bulkhead = before(OverloadContestants.BULKHEAD_TUNED, request -> request);
                LimitedStage nothing = before(OverloadContestants.VIRTUAL_UNLIMITED, request -> request);
                LimitedStage ours = before(OverloadContestants.PENSTOCK, request -> request)) {
            assertThat(gradient.permits()).hasValue(20);
            assertThat(bulkhead.permits()).hasValue(40);
            assertThat(nothing.permits()).isEmpty();
            assertThat(ours.permits().orElseThrow()).isPositive();
        }
    }

    private static Ending offered(LimitedStage doorway, long request) {
        Ending ending = new Ending();
        try {
            doorway.take(request, ending);
        } catch (Exception e) {
            ending.threw(e);
        }
        return ending;
    }

    private static final class Ending implements Intake.Reply<Long> {
        private final CompletableFuture<Long> told = new CompletableFuture<>();

        @Override
        public void answered(Long answer) {
            told.complete(answer);
        }

        @Override
        public void threw(Throwable thrown) {
            told.completeExceptionally(thrown);
        }

        boolean isRejected() {
            return told.isCompletedExceptionally() && told.exceptionNow() instanceof Rejected;
        }

        Long get() throws Exception {
            return told.get(30, TimeUnit.SECONDS);
        }

        /** Any ending counts: on a machine that stalls, Hystrix may have timed out. */
        void await() throws Exception {
            told.handle((answer, thrown) -> "ended").get(30, TimeUnit.SECONDS);
        }
    }
}
