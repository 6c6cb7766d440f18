package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Busy;
import dev.penstock.CallContext;
import dev.penstock.Collapse;
import dev.penstock.Failed;
import dev.penstock.Observation;
import dev.penstock.Observation.Observer;
import dev.penstock.Rejected;
import dev.penstock.Retry;
import dev.penstock.Service;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.kit.ManualTicker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class TransactionLogTest {
    private static final InstantSource NOON = InstantSource.fixed(Instant.parse("2026-01-02T12:00:00Z"));

    private final ManualTicker ticker = new ManualTicker(1);
    private final List<String> lines = new ArrayList<>();

    /** A request is its own id, key and caller, each with a letter before it. */
    private static final RequestDetails DETAILS = new RequestDetails() {
        @Override
        public @Nullable String id(@Nullable Object request) {
            return request == null ? null : "i" + request;
        }

        @Override
        public String caller(@Nullable Object request) {
            return "c" + request;
        }

        @Override
        public String key(@Nullable Object request) {
            return "k" + request;
        }
    };

    private record Status(int status) implements Busy {
        @Override
        public boolean isBusy() {
            return false;
        }
    }

    private TransactionLog log(Sampling sampling) {
        return log(sampling, written -> {
            new String(written, StandardCharsets.UTF_8).lines().forEach(lines::add);
            return true;
        });
    }

    private TransactionLog log(Sampling sampling, RecordWriter.Destination to) {
        return new TransactionLog(sampling, to, "test", NOON, ticker);
    }

    /** The records of one call. */
    private List<String> records(Sampling sampling, Service<String, Object> target) throws Exception {
        try (TransactionLog log = log(sampling)) {
            Flow<String, Object> flow = Flow.named("f")
                    .ticker(ticker)
                    .observer(log.observer(DETAILS))
                    .to(target);
            flow.call("a");
        } catch (Unanswered ended) {
            return lines;
        }
        return lines;
    }

    @ParameterizedTest
    @EnumSource
    void rejectedByEachCause(Rejected.Cause cause) throws Exception {
        assertThat(records(Sampling.parse("errors"), request -> {
                    throw new Rejected(cause, "not now");
                }))
                .singleElement()
                .asString()
                .contains("\"ending\":\"rejected\",\"cause\":\"" + cause.name().toLowerCase(java.util.Locale.ROOT)
                        + "\",\"reason\":\"not now\"");
    }

    @ParameterizedTest
    @EnumSource
    void failedByEachCause(Failed.Cause cause) throws Exception {
        assertThat(records(Sampling.parse("errors"), request -> {
                    throw new Failed(cause, "not done");
                }))
                .singleElement()
                .asString()
                .contains("\"ending\":\"failed\",\"cause\":\"" + cause.name().toLowerCase(java.util.Locale.ROOT) + '"');
    }

    @ParameterizedTest
    @EnumSource
    void unknownByEachCause(Unknown.Cause cause) throws Exception {
        assertThat(records(Sampling.parse("errors"), request -> {
                    throw new Unknown(cause, "no answer");
                }))
                .singleElement()
                .asString()
                .contains(
                        "\"ending\":\"unknown\",\"cause\":\"" + cause.name().toLowerCase(java.util.Locale.ROOT) + '"');
    }

    @Test
    void aRecordIsOneLineWithAllThatIsKnown() throws Exception {
        assertThat(records(Sampling.ALL, request -> {
                    ticker.advance(Duration.ofMillis(2));
                    Observation mine = Objects.requireNonNull(CallContext.currentObservation());
                    mine.exchanged(
                            new Observation.Exchange("http://t/\"x\"", to -> to.accept("connect", 1_500_000), 3, 4));
                    return new Status(503);
                }))
                .containsExactly("{\"at\":\"2026-01-02T11:59:59.998Z\",\"id\":\"ia\",\"flow\":\"f\",\"caller\":\"ca\","
                        + "\"key\":\"" + TransactionLog.hash("ka") + "\",\"ms\":2.0,\"ending\":\"answered\","
                        + "\"status\":503,\"sampled\":\"error\",\"attempts\":[{\"at_ms\":0.0,\"ms\":2.0,\"status\":503,"
                        + "\"exchanges\":[{\"address\":\"http://t/\\\"x\\\"\",\"connect_ms\":1.5,\"sent\":3,"
                        + "\"received\":4}]}]}");
    }

    @Test
    void errorsAreStatusesOf500AndEndingsWithoutAnswer() throws Exception {
        assertThat(records(Sampling.parse("errors"), request -> new Status(404)))
                .isEmpty();
        assertThat(records(Sampling.parse("errors"), request -> new Status(500)))
                .hasSize(1);
        assertThat(records(Sampling.parse("100%"), request -> new Status(200))).hasSize(2);
        assertThat(records(Sampling.NONE, request -> new Status(500))).hasSize(2);
    }

    @Test
    void eachAttemptHasTheWaitsBeforeIt() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        try (TransactionLog log = log(Sampling.ALL)) {
            Flow<String, String> flow = Flow.named("f")
                    .ticker(ticker)
                    .random(new Random(1))
                    .retry(Retry.whenNotSent())
                    .observer(log.observer(DETAILS))
                    .to(request -> {
                        if (calls.getAndIncrement() == 0) {
                            throw new Failed(Failed.Cause.CONNECT, "refused");
                        }
                        return "fine";
                    });
            FutureTask<String> call = new FutureTask<>(() -> flow.call("a"));
            Thread.ofVirtual().start(call);
            ticker.awaitParked(1);
            ticker.advance(Duration.ofMillis(60));
            assertThat(call.get()).isEqualTo("fine");
        }
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("\"attempts\":[{\"at_ms\":0.0,\"ms\":0.0,\"ending\":\"failed\",\"cause\":\"connect\"},"
                        + "{\"at_ms\":60.0,\"retry_ms\":60.0,\"ms\":0.0}]");
    }

    @Test
    void theTransactionsOfABatchHaveItsIdAndSize() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        try (TransactionLog log = log(Sampling.ALL)) {
            Flow<String, String> flow = Flow.named("f")
                    .concurrency(1)
                    .observer(Observers.all((name, request, now) -> null, log.observer(DETAILS)))
                    .to(Collapse.<String, String>into(requests -> {
                        called.countDown();
                        open.await();
                        return requests;
                    }));
            FutureTask<String> alone = start(flow, "x");
            called.await();
            FutureTask<String> first = start(flow, "a");
            FutureTask<String> second = start(flow, "b");
            while (Objects.requireNonNull(flow.batches()).waiting() < 2) {
                Thread.onSpinWait();
            }
            open.countDown();
            assertThat(List.of(alone.get(), first.get(), second.get())).containsExactly("x", "a", "b");
        }
        List<String> ofTwo = lines.stream()
                .filter(line -> line.contains("\"size\":2"))
                .map(line -> line.replaceAll(".*\"batches\":\\[\\{\"id\":\"([^\"]*)\".*", "$1"))
                .toList();
        assertThat(lines).hasSize(3).allMatch(line -> line.contains("\"batches\":[{\"id\":"));
        assertThat(ofTwo).hasSize(2);
        assertThat(ofTwo.getFirst()).isEqualTo(ofTwo.getLast()).hasSize(36);
    }

    private static FutureTask<String> start(Flow<String, String> flow, String request) {
        FutureTask<String> call = new FutureTask<>(() -> flow.call(request));
        Thread.ofVirtual().start(call);
        return call;
    }

    @Test
    void slowIsAboveTheP99OfTheLastInterval() throws Exception {
        AtomicInteger millis = new AtomicInteger(1);
        try (TransactionLog log = log(Sampling.parse("slow"))) {
            Flow<String, String> flow = Flow.named("f")
                    .ticker(ticker)
                    .observer(log.observer(DETAILS))
                    .to(request -> {
                        ticker.advance(Duration.ofMillis(millis.get()));
                        return request;
                    });
            for (int call = 0; call < FlowRecords.ENOUGH; call++) {
                flow.call("usual");
            }
            millis.set(50);
            flow.call("before the first interval has ended");
            ticker.advance(FlowRecords.INTERVAL);
            millis.set(1);
            flow.call("usual");
            millis.set(50);
            flow.call("slow");
        }
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("\"id\":\"islow\"")
                .contains("\"sampled\":\"slow\"");
    }

    @Test
    void aFullQueueDropsRecordsAndCountsThem() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        int more = 100;
        try (TransactionLog log = log(Sampling.ALL, written -> {
            writing.countDown();
            try {
                open.await();
            } catch (InterruptedException stop) {
                return false;
            }
            return true;
        })) {
            Flow<String, String> flow =
                    Flow.named("f").observer(log.observer(DETAILS)).to(request -> request);
            flow.call("first");
            writing.await();
            for (int call = 0; call < RecordWriter.QUEUE + more; call++) {
                flow.call("a");
            }
            assertThat(log.counts("f")).containsEntry("dropped", (long) more).containsEntry("written", 0L);
            open.countDown();
            log.close();
            assertThat(log.counts("f"))
                    .isEqualTo(Map.of("dropped", (long) more, "written", RecordWriter.QUEUE + 1L, "unwritable", 0L));
        }
    }

    @Test
    void whatCannotBeWrittenIsCountedToo() throws Exception {
        try (TransactionLog log = log(Sampling.ALL, written -> false)) {
            Flow<String, String> flow =
                    Flow.named("f").observer(log.observer(DETAILS)).to(request -> request);
            assertThat(flow.call("a")).isEqualTo("a");
            log.close();
            assertThat(log.counts("f")).containsEntry("unwritable", 1L);
        }
    }

    @Test
    void theLastNotableTransactionsAreFound() throws Exception {
        try (TransactionLog log = log(Sampling.ALL)) {
            Flow<Integer, Object> flow = Flow.named("f")
                    .observer(log.observer(DETAILS))
                    .to(request -> {
                        if (request % 2 == 0) {
                            throw new Unknown(Unknown.Cause.TIMEOUT, "no answer");
                        }
                        return new Status(500);
                    });
            int calls = TransactionLog.NOTABLE + 10;
            for (int call = 0; call < calls; call++) {
                Integer request = call;
                if (call % 2 == 0) {
                    assertThatThrownBy(() -> flow.call(request)).isInstanceOf(Unknown.class);
                } else {
                    flow.call(request);
                }
            }
            assertThat(log.search(null, null, null, 0)).hasSize(TransactionLog.NOTABLE);
            assertThat(log.search(null, "f", "unknown", 0)).hasSize(TransactionLog.NOTABLE / 2);
            assertThat(log.search(null, "other", null, 0)).isEmpty();
            assertThat(log.search(null, null, null, NOON.millis() + 1)).isEmpty();
            assertThat(log.search("i9", null, null, 0)).isEmpty();
            assertThat(log.search("i11", null, null, 0))
                    .singleElement()
                    .asString()
                    .contains("\"id\":\"i11\"");
            assertThat(log.search("urn:uuid:i11", null, null, 0)).hasSize(1);
            assertThat(log.search("k12", null, null, 0))
                    .singleElement()
                    .asString()
                    .contains("\"id\":\"i12\"");
            assertThat(log.search(TransactionLog.hash("k12"), null, null, 0)).hasSize(1);
        }
    }

    @Test
    void aRecordHasTheTraceOfTheOtherObserver() throws Exception {
        Observer traces = (flow, request, now) -> new Observation() {
            @Override
            public String traceId() {
                return "4bf92f3577b34da6a3ce929d0e0e4736";
            }
        };
        try (TransactionLog log = log(Sampling.ALL)) {
            Flow<String, String> flow = Flow.named("f")
                    .observer(Observers.all(traces, log.observer(RequestDetails.NONE)))
                    .to(request -> request);
            flow.call("a");
        }
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("\"trace\":\"4bf92f3577b34da6a3ce929d0e0e4736\"")
                .containsPattern("\"id\":\"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\"")
                .doesNotContain("\"key\"", "\"caller\"");
    }

    @Test
    void whatIsSampledIsWrittenInWords() {
        assertThat(Sampling.parse("errors + slow + 1%"))
                .isEqualTo(new Sampling(true, true, 1))
                .hasToString("errors+slow+1%");
        assertThat(Sampling.parse("0.5%")).hasToString("0.5%");
        assertThat(Sampling.parse("all")).hasToString("all");
        assertThat(Sampling.parse("none").isNone()).isTrue();
        for (String wrong : List.of("", "error", "101%", "errors slow", "all+slow", "-1%", "1%%")) {
            assertThatThrownBy(() -> Sampling.parse(wrong)).hasMessageContaining("errors+slow+1%");
        }
    }
}
