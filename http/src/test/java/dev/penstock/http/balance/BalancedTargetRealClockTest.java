package dev.penstock.http.balance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Retry;
import dev.penstock.Target.EndpointReport;
import dev.penstock.flow.Flow;
import dev.penstock.http.Calls;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.RawPeer;
import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.StablePort;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three servers, one of which is killed under load and comes back. */
@Timeout(120)
class BalancedTargetRealClockTest {
    private static final int CALLERS = 8;

    private final ManualTicker ticker = new ManualTicker();

    private static RawPeer server(int port) throws Exception {
        return RawPeer.start(port, talk -> {
            while (talk.request() != null) {
                talk.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            }
        });
    }

    private static CompletableFuture<Void> load(
            Flow<HttpCall, HttpAnswer> flow, int callsOfEach, AtomicInteger answered) {
        return CompletableFuture.allOf(IntStream.range(0, CALLERS)
                .mapToObj(caller -> {
                    CompletableFuture<Void> done = new CompletableFuture<>();
                    Thread.ofVirtual().start(() -> {
                        try {
                            for (int i = 0; i < callsOfEach; i++) {
                                assertThat(flow.call(HttpCall.get("/")).text()).isEqualTo("ok");
                                answered.incrementAndGet();
                            }
                            done.complete(null);
                        } catch (Throwable e) {
                            done.completeExceptionally(e);
                        }
                    });
                    return done;
                })
                .toArray(CompletableFuture[]::new));
    }

    @Test
    void aKilledServerCostsNoCallAndGetsCallsAgainWhenItIsBack() throws Exception {
        int port = StablePort.free();
        try (RawPeer first = server(0);
                RawPeer third = server(0);
                HttpTarget toFirst = HttpTarget.of(first.url("/"));
                HttpTarget toSecond = HttpTarget.of("http://127.0.0.1:" + port);
                HttpTarget toThird = HttpTarget.of(third.url("/"))) {
            BalancedTarget all = BalancedTarget.builder()
                    .endpoint(toFirst, Flow.named("first").concurrency(100).to(toFirst))
                    .endpoint(toSecond, Flow.named("second").concurrency(100).to(toSecond))
                    .endpoint(toThird)
                    .build(ticker);
            Flow<HttpCall, HttpAnswer> flow = Flow.named("balanced")
                    .deadline(Duration.ofSeconds(60))
                    .retry(Retry.whenNotSent().attempts(5).backoff(Duration.ZERO, Duration.ofMillis(1)))
                    .to(all);
            AtomicInteger answered = new AtomicInteger();
            RawPeer second = server(port);
            CompletableFuture<Void> load = load(flow, 500, answered);
            Calls.until(() -> answered.get() > 1_000 || load.isDone());
            second.close();
            load.get();
            assertThat(answered).hasValue(CALLERS * 500);
            // How many each gets depends on how fast each is, and on one busy core that is any number.
            assertThat(List.of(first, second, third))
                    .noneMatch(server -> server.requests().isEmpty());
            EndpointReport dead = all.endpoints().get(1);
            assertThat(dead.ejections()).isEqualTo(1);
            assertThat(dead.ejectedFor()).isEqualTo(Duration.ofSeconds(1));

            try (RawPeer back = server(port)) {
                load(flow, 10, answered).get();
                assertThat(back.requests()).isEmpty();
                ticker.advance(Duration.ofSeconds(1));
                load(flow, 50, answered).get();
                assertThat(back.requests()).isNotEmpty();
            }
            assertThat(answered).hasValue(CALLERS * 560);
            assertThat(all.endpoints()).allMatch(endpoint -> endpoint.outstanding() == 0);
            assertThat(flow.accounting().inFlight()).isZero();
        }
    }
}
