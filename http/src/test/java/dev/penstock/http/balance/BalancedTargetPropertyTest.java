package dev.penstock.http.balance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Target.EndpointReport;
import dev.penstock.Unknown;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Accounting: each call goes to exactly one endpoint that does not reject it, or to none, whatever the endpoints do. */
class BalancedTargetPropertyTest {
    private static final int DEPTH = 4;

    /** What an endpoint did with a call. */
    private record Visit(int endpoint, Object ending) {
        private boolean isRejection() {
            return ending instanceof Rejected;
        }
    }

    /** Endpoints that do anything; a call made inside of another is a concurrent one. */
    private static final class Scene {
        private final Random random;
        private final ManualTicker ticker;
        private final int count;
        private final BalancedTarget all;
        private final Map<HttpCall, List<Visit>> visits = new IdentityHashMap<>();
        private int depth;

        private Scene(int count, long seed) {
            this.random = new Random(seed);
            this.ticker = new ManualTicker(random.nextLong());
            this.count = count;
            BalancedTarget.Builder builder = BalancedTarget.builder();
            for (int i = 0; i < count; i++) {
                int endpoint = i;
                builder.endpoint(new FakeTarget("e" + i).does(call -> serve(endpoint, call)));
            }
            this.all = builder.build(ticker);
        }

        private HttpAnswer serve(int endpoint, HttpCall call) throws Exception {
            while (depth < DEPTH && random.nextInt(3) == 0) {
                call();
            }
            ticker.advance(Duration.ofMillis(random.nextInt(400)));
            Object ending = anyEnding(random);
            Objects.requireNonNull(visits.get(call)).add(new Visit(endpoint, ending));
            return end(ending);
        }

        private void call() {
            HttpCall call = HttpCall.get("/");
            visits.put(call, new ArrayList<>());
            depth++;
            Object ending;
            try {
                ending = all.call(call);
            } catch (Throwable thrown) {
                ending = thrown;
            }
            depth--;
            check(visits.get(call), ending);
        }

        private void check(List<Visit> path, Object ending) {
            assertThat(path).isNotEmpty();
            assertThat(path.getLast().ending()).isSameAs(ending);
            assertThat(path.subList(0, path.size() - 1)).allMatch(Visit::isRejection);
            assertThat(path.stream().map(Visit::endpoint)).doesNotHaveDuplicates();
            if (path.getLast().isRejection()) {
                assertThat(path.size()).isGreaterThanOrEqualTo(count - count / 2);
            }
            assertThat(all.endpoints().stream()
                            .filter(endpoint -> !endpoint.ejectedFor().isZero()))
                    .hasSizeLessThanOrEqualTo(count / 2);
        }
    }

    private static Object anyEnding(Random random) {
        return switch (random.nextInt(12)) {
            case 0 -> new Rejected(any(random, Rejected.Cause.values()), "rejected");
            case 1 -> new Rejected(Rejected.Cause.LIMIT, "rejected");
            case 2, 3, 4 -> new Failed(any(random, Failed.Cause.values()), "failed");
            case 5 -> new Unknown(any(random, Unknown.Cause.values()), "unknown");
            case 6 -> new IllegalStateException("bug");
            case 7 -> new StackOverflowError("deep");
            case 8, 9 -> HttpAnswer.of(502 + random.nextInt(3), "no");
            default -> HttpAnswer.of(random.nextBoolean() ? 200 : 500, "yes");
        };
    }

    private static <T> T any(Random random, T[] values) {
        return values[random.nextInt(values.length)];
    }

    private static HttpAnswer end(Object ending) throws Exception {
        return switch (ending) {
            case HttpAnswer answer -> answer;
            case Exception thrown -> throw thrown;
            case Error thrown -> throw thrown;
            default -> throw new AssertionError(ending);
        };
    }

    @Property(tries = 200)
    void eachCallHasExactlyOneEndpointThatDidNotRejectIt(
            @ForAll @IntRange(min = 1, max = 6) int count, @ForAll long seed) {
        Scene scene = new Scene(count, seed);
        for (int i = 0; i < 100; i++) {
            scene.call();
        }
        List<Visit> all = scene.visits.values().stream().flatMap(List::stream).toList();
        for (int i = 0; i < count; i++) {
            int endpoint = i;
            List<Visit> own =
                    all.stream().filter(visit -> visit.endpoint() == endpoint).toList();
            EndpointReport report = scene.all.endpoints().get(i);
            assertThat(report.outstanding()).isZero();
            assertThat(report.rejected())
                    .isEqualTo(own.stream().filter(Visit::isRejection).count());
            assertThat(report.calls()).isEqualTo(own.size() - report.rejected());
        }
    }

    @Property(tries = 10)
    void threadsTogetherLeaveNothingOutstanding(@ForAll @IntRange(min = 1, max = 5) int count, @ForAll long seed) {
        BalancedTarget.Builder builder = BalancedTarget.builder();
        for (int i = 0; i < count; i++) {
            Random random = new Random(seed + i);
            builder.endpoint(new FakeTarget("e" + i).does(call -> {
                Thread.yield();
                return end(anyEnding(random));
            }));
        }
        BalancedTarget all = builder.build();
        int calls = 2_000;
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < calls; i++) {
                callers.submit(() -> all.call(HttpCall.get("/")));
            }
        }
        assertThat(all.endpoints()).allMatch(endpoint -> endpoint.outstanding() == 0);
        long sent = all.endpoints().stream().mapToLong(EndpointReport::calls).sum();
        assertThat(sent).isBetween(1L, (long) calls);
    }
}
