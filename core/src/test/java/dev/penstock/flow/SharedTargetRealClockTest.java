package dev.penstock.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Ticker;
import dev.penstock.kit.FullRun;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flows that share one target by one {@link TargetLimit}. */
@Tag("full")
@Timeout(300)
class SharedTargetRealClockTest {
    private static final long CALL_NANOS = 20_000_000;
    private static final long SECONDS = FullRun.sized(3, 12);

    private final Semaphore slots = new Semaphore(8);

    /** 8 calls at once, of 20 ms: 400/s. */
    private final Service<String, String> target = request -> {
        slots.acquire();
        try {
            pauseUntil(System.nanoTime() + CALL_NANOS);
            return request;
        } finally {
            slots.release();
        }
    };

    @ParameterizedTest
    @ValueSource(ints = {2, 8})
    void equalFlowsGetEqualShares(int count) throws InterruptedException {
        TargetLimit limit = TargetLimit.adaptive();
        List<Flow<String, String>> flows = IntStream.range(0, count)
                .mapToObj(i -> Flow.named("flow" + i).sharedConcurrency(limit).to(target))
                .toList();
        offer(flows, 1_200 / count);
        double[] answers =
                flows.stream().mapToDouble(flow -> flow.accounting().answered()).toArray();
        assertThat(jain(answers)).as("%s", Arrays.toString(answers)).isGreaterThanOrEqualTo(0.95);
        for (Flow<String, String> flow : flows) {
            assertThat(flow.drain(Duration.ofSeconds(30)).inFlight()).isZero();
            assertThat(flow.accounting().offered())
                    .isEqualTo(flow.accounting().answered() + flow.accounting().rejected());
        }
    }

    @Test
    void aPinByOneFlowIsSeenInAll() {
        TargetLimit limit = TargetLimit.adaptive();
        Flow<String, String> one = Flow.named("one").sharedConcurrency(limit).to(target);
        Flow<String, String> two = Flow.named("two").sharedConcurrency(limit).to(target);
        one.pin("limit", "17", "the operator");
        assertThat(setting(two).value()).isEqualTo("17");
        assertThat(setting(two).reason()).startsWith("pinned by the operator");
        two.unpin("limit");
        assertThat(setting(one).reason()).startsWith("shared by 2 flows: starting from the pinned 17");
    }

    private static Setting setting(Flow<?, ?> flow) {
        return flow.settings().stream()
                .filter(setting -> setting.name().equals("limit"))
                .findFirst()
                .orElseThrow();
    }

    /** Offers as many requests a second to each, on threads of their own. */
    private static void offer(List<Flow<String, String>> flows, int perSecond) throws InterruptedException {
        long begin = System.nanoTime();
        List<Thread> senders = flows.stream()
                .map(flow -> Thread.ofPlatform().start(() -> {
                    for (long i = 0; i < SECONDS * perSecond; i++) {
                        pauseUntil(begin + i * 1_000_000_000 / perSecond);
                        Thread.startVirtualThread(() -> call(flow));
                    }
                }))
                .toList();
        for (Thread sender : senders) {
            sender.join();
        }
    }

    private static void call(Flow<String, String> flow) {
        try {
            flow.call("any");
        } catch (Rejected expected) {
            // Three times as many come as can be served.
        } catch (Exception unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    private static void pauseUntil(long nanos) {
        while (System.nanoTime() - nanos < 0) {
            Ticker.SYSTEM.parkUntil(nanos);
        }
    }

    private static double jain(double[] shares) {
        double sum = Arrays.stream(shares).sum();
        double squares = Arrays.stream(shares).map(share -> share * share).sum();
        return sum * sum / (shares.length * squares);
    }
}
