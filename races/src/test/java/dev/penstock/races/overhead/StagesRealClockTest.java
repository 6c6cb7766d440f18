package dev.penstock.races.overhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Failed;
import dev.penstock.Service;
import dev.penstock.lab.race.Entry;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every contestant really has its stages: one without them would win by doing nothing. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StagesRealClockTest {
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final List<String> GUARDED = without(OverheadContestants.DIRECT);

    /** The adaptive contestant limits concurrency by other numbers. */
    private static final List<String> LIMITED_TO_512 =
            without(OverheadContestants.DIRECT, OverheadContestants.PENSTOCK_ADAPTIVE);

    private static final List<String> REPEATING =
            without(OverheadContestants.DIRECT, OverheadContestants.HYSTRIX_SEMAPHORE);

    private static List<String> without(String... names) {
        return OverheadContestants.ALL.without(names).stream().map(Entry::name).toList();
    }

    private static Service<Object, Object> around(String contestant, Service<Object, Object> service) {
        return OverheadContestants.ALL.named(contestant).apply(service);
    }

    @Test
    void retriesAFailedCall() throws Exception {
        each(REPEATING, contestant -> {
            Target target = new Target(1);
            assertThat(around(contestant, target).call("request")).isEqualTo("answer");
            assertThat(target.calls).hasValue(2);
        });
    }

    @Test
    void makesAtMostThreeAttempts() throws Exception {
        each(REPEATING, contestant -> {
            Target target = new Target(Integer.MAX_VALUE);
            assertThatThrownBy(() -> around(contestant, target).call("request")).isNotNull();
            assertThat(target.calls).hasValue(3);
        });
    }

    @Test
    void breakerOpensWhenAllCallsFail() throws Exception {
        each(GUARDED, contestant -> {
            Target target = new Target(Integer.MAX_VALUE);
            Service<Object, Object> service = around(contestant, target);
            long end = System.nanoTime() + LONGEST_NANOS;
            int before;
            do {
                before = target.calls.get();
                assertThatThrownBy(() -> service.call("request")).isNotNull();
            } while (target.calls.get() > before && System.nanoTime() - end < 0);
            assertThat(target.calls).as("calls of " + contestant).hasValue(before);
            assertThat(before).isGreaterThanOrEqualTo(5);
        });
    }

    @Test
    void limitsConcurrentCallsTo512() throws Exception {
        each(LIMITED_TO_512, contestant -> {
            Semaphore arrived = new Semaphore(0);
            CountDownLatch over = new CountDownLatch(1);
            Service<Object, Object> service = around(contestant, request -> {
                arrived.release();
                over.await();
                return "answer";
            });
            try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 512; i++) {
                    callers.execute(() -> called(service));
                }
                try {
                    arrived.acquire(512);
                    assertThatThrownBy(() -> service.call("one too many")).isNotNull();
                    assertThat(arrived.availablePermits()).isZero();
                } finally {
                    over.countDown();
                }
            }
        });
    }

    private static void called(Service<Object, Object> service) {
        try {
            service.call("request");
        } catch (Exception e) {
            throw new AssertionError("it was let in, and the target answered", e);
        }
    }

    private interface Check {
        void of(String contestant) throws Exception;
    }

    /** Concurrently, since most of their time is waiting. */
    private static void each(List<String> contestants, Check check) throws Exception {
        try (ExecutorService all = Executors.newVirtualThreadPerTaskExecutor()) {
            var checks = contestants.stream()
                    .<Callable<Void>>map(contestant -> () -> {
                        check.of(contestant);
                        return null;
                    })
                    .toList();
            for (Future<Void> done : all.invokeAll(checks)) {
                done.get();
            }
        }
    }

    /** Fails to connect at first, then answers. */
    private static final class Target implements Service<Object, Object> {
        private final AtomicInteger calls = new AtomicInteger();
        private final int failures;

        Target(int failures) {
            this.failures = failures;
        }

        @Override
        public Object call(Object request) throws Failed {
            if (calls.incrementAndGet() <= failures) {
                throw new Failed(Failed.Cause.CONNECT, "nobody listens");
            }
            return "answer";
        }
    }
}
