package dev.penstock.races.overload;

import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.races.overload.VirtualThreads.Gate;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * resilience4j's semaphore bulkhead, used through {@link Bulkhead#tryAcquirePermission}, which creates no exception.
 * Without a wait, the accepting thread calls it; with a wait, the call may block, so a virtual thread makes it.
 */
final class BulkheadGate {
    private final Service<Long, Long> stage;
    private final Bulkhead bulkhead;

    private BulkheadGate(Service<Long, Long> stage, Tuning tuning) {
        this.stage = stage;
        this.bulkhead = Bulkhead.of(
                "overload",
                BulkheadConfig.custom()
                        .maxConcurrentCalls(tuning.most())
                        .maxWaitDuration(tuning.maxWait())
                        .build());
    }

    static LimitedStage around(Service<Long, Long> stage, Tuning tuning) {
        BulkheadGate gate = new BulkheadGate(stage, tuning);
        OptionalInt permits = OptionalInt.of(tuning.most());
        return new VirtualThreads(
                tuning.maxWait().isZero()
                        ? gate::enter
                        : Gate.to(request -> gate.enter().call(request)),
                () -> permits);
    }

    private Service<Long, Long> enter() throws Rejected {
        if (!bulkhead.tryAcquirePermission()) {
            throw new Rejected(Rejected.Cause.LIMIT, "the bulkhead is full");
        }
        return request -> {
            try {
                return stage.call(request);
            } finally {
                bulkhead.onComplete();
            }
        };
    }

    /**
     * Manual settings of a bulkhead.
     *
     * @param most maximum concurrent calls
     * @param maxWait maximum wait for admission; 0 for none
     */
    record Tuning(int most, Duration maxWait) {
        /** resilience4j's defaults. */
        static final Tuning DEFAULT = new Tuning(25, Duration.ZERO);

        private static final List<Integer> MAX_CONCURRENCIES = List.of(25, 50, 100, 200, 400);
        private static final List<Integer> WAIT_MILLIS = List.of(0, 250, 500);

        /** The settings tried by a sweep, 15 in all. */
        static List<Tuning> all() {
            return MAX_CONCURRENCIES.stream()
                    .flatMap(most -> WAIT_MILLIS.stream().map(wait -> new Tuning(most, Duration.ofMillis(wait))))
                    .toList();
        }
    }
}
