package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Failed;
import dev.penstock.Retry;
import dev.penstock.Settle;
import dev.penstock.Unknown;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On real sockets: payments that lose their connection at a gateway that keeps books and can be asked. */
@Timeout(120)
class SettleRealClockTest {
    private static final Duration SOON = Duration.ofMillis(1);

    /** Whether a request takes effect, and what is then done with its connection. */
    private enum Fate {
        ANSWERED,
        LOST_BEFORE,
        LOST_AFTER
    }

    /** Takes payments, one fate after the other and the last one for ever, and tells what became of each. */
    private static final class Books {
        final Map<String, Integer> applied = new ConcurrentHashMap<>();
        final AtomicInteger posts = new AtomicInteger();
        final AtomicInteger questions = new AtomicInteger();
        private final List<Fate> fates;

        Books(Fate... fates) {
            this.fates = List.of(fates);
        }

        void serve(RawPeer.Talk talk) throws Exception {
            for (String request = talk.request(); request != null; request = talk.request()) {
                if (request.startsWith("GET /status?ref=")) {
                    questions.incrementAndGet();
                    talk.send(status(request.substring(16, request.indexOf(' ', 16))));
                    continue;
                }
                String key = request.replaceAll("(?s).*Idempotency-Key: (.*?)\r\n.*", "$1");
                Fate fate = fates.get(Math.min(posts.getAndIncrement(), fates.size() - 1));
                if (fate != Fate.LOST_BEFORE) {
                    applied.merge(key, 1, Integer::sum);
                }
                if (fate != Fate.ANSWERED) {
                    talk.rst();
                    return;
                }
                talk.send("HTTP/1.1 201 Created\r\nContent-Length: 4\r\n\r\npaid");
            }
        }

        private String status(String key) {
            return applied.containsKey(key)
                    ? "HTTP/1.1 200 OK\r\nX-Status: 1\r\nContent-Length: 7\r\n\r\nsettled"
                    : "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
        }
    }

    private static HttpCall pay(String key) {
        return HttpCall.post("/pay", "<pay/>").withHeader("Idempotency-Key", key);
    }

    private static FlowBuilder<Object> payments() {
        return Flow.named("payments").deadline(Duration.ofMinutes(10));
    }

    private static Retry<Object> threeTimes() {
        return Retry.whenNotSent().backoff(Duration.ZERO, Duration.ZERO);
    }

    @ParameterizedTest
    @CsvSource({"true, LOST_AFTER", "true, LOST_BEFORE", "false, LOST_AFTER", "false, LOST_BEFORE"})
    void aLostPostTakesEffectOnceAndIsAnswered(boolean shared, Fate fate) throws Exception {
        Books books = new Books(Fate.ANSWERED, fate, Fate.ANSWERED);
        try (RawPeer peer = RawPeer.start(books::serve);
                HttpTarget target = HttpTarget.at(peer.url("/pay"))
                        .header("Authorization", "Bearer b")
                        .build();
                HttpStatusProbe probe = shared
                        ? HttpStatusProbe.over(target, "/status?ref={Idempotency-Key}")
                        : HttpStatusProbe.at(peer.url("/status?ref={Idempotency-Key}"))) {
            Flow<HttpCall, HttpAnswer> flow =
                    payments().retry(threeTimes()).to(target, Settle.by(probe).after(SOON));
            assertThat(flow.call(pay("k-0")).text()).isEqualTo("paid");
            HttpAnswer answer = flow.call(pay("k-1"));
            boolean repeated = fate == Fate.LOST_BEFORE;
            assertThat(answer.text()).isEqualTo(repeated ? "paid" : "settled");
            assertThat(answer.headers().has("X-Status")).isEqualTo(!repeated);
            assertThat(books.posts).hasValue(repeated ? 3 : 2);
            assertThat(books.applied).isEqualTo(Map.of("k-0", 1, "k-1", 1));
            assertThat(flow.accounting().sentence()).startsWith("offered 2 = answered 2 + ");
            String question = peer.requests().stream()
                    .filter(request -> request.startsWith("GET"))
                    .findFirst()
                    .orElseThrow();
            assertThat(question.contains("Authorization: Bearer b")).isEqualTo(shared);
            assertThat(question).doesNotContain("Idempotency-Key:").contains("Penstock-Deadline-Ms: ");
        }
    }

    @Test
    void withoutAKeyOrAProbeALostPostIsUnknownAndWithAKeyItIsRepeated() throws Exception {
        Books books = new Books(Fate.LOST_BEFORE, Fate.LOST_BEFORE, Fate.LOST_BEFORE, Fate.ANSWERED);
        try (RawPeer peer = RawPeer.start(books::serve);
                HttpTarget target = HttpTarget.of(peer.url("/pay"))) {
            Flow<HttpCall, HttpAnswer> blind = payments().retry(threeTimes()).to(target);
            Unknown unknown = catchThrowableOfType(Unknown.class, () -> blind.call(pay("k-1")));
            assertThat(unknown.why()).isEqualTo(Unknown.Cause.CLOSED);
            assertThat(books.posts).hasValue(1);
            Flow<HttpCall, HttpAnswer> keyed = payments()
                    .retry(Retry.byKey("Idempotency-Key").backoff(Duration.ZERO, Duration.ZERO))
                    .to(target);
            assertThat(keyed.call(pay("k-2")).text()).isEqualTo("paid");
            assertThat(books.posts).hasValue(4);
        }
    }

    @Test
    void aDeclaredIdempotentPostAndAnyGetAreRepeated() throws Exception {
        Books books = new Books(Fate.LOST_BEFORE, Fate.ANSWERED, Fate.LOST_BEFORE, Fate.ANSWERED);
        try (RawPeer peer = RawPeer.start(books::serve);
                HttpTarget target = HttpTarget.of(peer.url("/pay"))) {
            Flow<HttpCall, HttpAnswer> declared = payments()
                    .retry(Retry.ofIdempotent().backoff(Duration.ZERO, Duration.ZERO))
                    .to(target);
            assertThat(declared.call(HttpCall.post("/pay", "<pay/>")).text()).isEqualTo("paid");
            Flow<HttpCall, HttpAnswer> reading = payments().retry(threeTimes()).to(target);
            assertThat(reading.call(HttpCall.get("/pay")).text()).isEqualTo("paid");
            assertThat(books.posts).hasValue(4);
        }
    }

    @Test
    void whatIsNotThereIsSaidToHaveFailedWhenNothingRepeatsIt() throws Exception {
        Books books = new Books(Fate.LOST_BEFORE);
        try (RawPeer peer = RawPeer.start(books::serve);
                HttpTarget target = HttpTarget.of(peer.url("/pay"));
                HttpStatusProbe probe = HttpStatusProbe.over(target, "/status?ref={Idempotency-Key}")) {
            Flow<HttpCall, HttpAnswer> flow =
                    payments().to(target, Settle.by(probe).after(SOON));
            Failed failed = catchThrowableOfType(Failed.class, () -> flow.call(pay("k-1")));
            assertThat(failed.why()).isEqualTo(Failed.Cause.NOT_THERE);
            assertThat(books.questions).hasValue(1);
            Unknown bare = catchThrowableOfType(Unknown.class, () -> flow.call(HttpCall.post("/pay", "<pay/>")));
            assertThat(bare).hasMessageEndingWith("; its status was not asked: the request has no reference to ask by");
            assertThat(books.questions).hasValue(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"500", "401", "302", "201", "404"})
    void anyOtherStatusLeavesItUnknown(int status) throws Exception {
        try (RawPeer peer = RawPeer.start(talk -> {
                    String request = Objects.requireNonNull(talk.request());
                    if (request.startsWith("GET")) {
                        talk.send("HTTP/1.1 " + status + " X\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
                    } else {
                        talk.fin();
                    }
                });
                HttpTarget target = HttpTarget.of(peer.url("/pay"));
                HttpStatusProbe probe =
                        HttpStatusProbe.over(target, "/{Idempotency-Key}").absentStatus(410)) {
            Flow<HttpCall, HttpAnswer> flow = payments()
                    .retry(threeTimes())
                    .to(target, Settle.by(probe).after(SOON).queries(2));
            Unknown unknown = catchThrowableOfType(Unknown.class, () -> flow.call(pay("k-1")));
            assertThat(unknown).hasMessageEndingWith("(2 of 2), still unknown: the status probe answered " + status);
            assertThat(peer.requests()).hasSize(3);
        }
    }

    @Test
    void aProbeThatGetsNoAnswerLeavesItUnknownAndAClosedOneToo() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (RawPeer peer = RawPeer.start(talk -> {
                    if (Objects.requireNonNull(talk.request()).startsWith("GET")) {
                        asked.countDown();
                        talk.request();
                    } else {
                        talk.rst();
                    }
                });
                HttpTarget target = HttpTarget.of(peer.url("/pay"));
                HttpStatusProbe probe = HttpStatusProbe.at(peer.url("/{Idempotency-Key}"))) {
            Flow<HttpCall, HttpAnswer> flow =
                    payments().to(target, Settle.by(probe).after(SOON).queries(2));
            Thread closer = Thread.ofVirtual().start(() -> {
                try {
                    asked.await();
                    probe.close();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            Unknown unknown = catchThrowableOfType(Unknown.class, () -> flow.call(pay("k-1")));
            closer.join();
            assertThat(unknown).hasMessageContaining("still unknown: the status probe ended as rejected");
            assertThat(unknown.getStackTrace()).isEmpty();
        }
    }
}
