package dev.penstock.http;

import static dev.penstock.http.Http2Kit.CALL;
import static dev.penstock.http.Http2Kit.LONG;
import static dev.penstock.http.Http2Kit.exchange;
import static dev.penstock.http.Http2Kit.inThread;
import static dev.penstock.http.Http2Kit.pool;
import static dev.penstock.http.Http2Kit.secure;
import static dev.penstock.http.Http2Kit.times;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Rejected;
import dev.penstock.Unknown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hc.core5.http2.H2Error;
import org.apache.hc.core5.http2.config.H2Param;
import org.apache.hc.core5.http2.frame.FrameType;
import org.apache.hc.core5.http2.frame.RawFrame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that allow nothing at first (RFC 9113 section 6.5.2), refuse late, or answer late, on real sockets. */
@Timeout(60)
class Http2SettingsRealClockTest {
    @Test
    void callsWaitForAPeerThatAllowsNoStreamsYet() throws Exception {
        CountDownLatch waiting = new CountDownLatch(1);
        try (FramePeer peer = secure(talk -> {
                    talk.open(0);
                    waiting.await();
                    talk.settings(3);
                    for (int i = 0; i < 3; i++) {
                        talk.answer(talk.request().stream(), "ok");
                    }
                    talk.settings(0);
                    talk.settings(1);
                    talk.answer(talk.request().stream(), "ok");
                    talk.awaitEnd();
                });
                Http2Exchange exchange = exchange(peer)) {
            List<CompletableFuture<HttpAnswer>> sent = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                sent.add(inThread(exchange));
            }
            Calls.until(() -> exchange.connections().getOrDefault("pending", 0L) == 3);
            assertThat(sent).noneMatch(CompletableFuture::isDone);
            waiting.countDown();
            for (CompletableFuture<HttpAnswer> call : sent) {
                assertThat(call.get().text()).isEqualTo("ok");
            }
            assertThat(exchange.send(CALL, null).text()).isEqualTo("ok");
            assertThat(peer.connections()).isEqualTo(1);
        }
    }

    /** HttpCore may release a stream only after its caller has the answer and sends the next call. */
    @Test
    void callsOneAfterTheOtherNeedOneConnectionToAPeerThatAllowsOneStream() throws Exception {
        try (FramePeer peer = secure(talk -> {
                    talk.open(1);
                    while (true) {
                        talk.answer(talk.request().stream(), "ok");
                    }
                });
                Http2Exchange exchange = exchange(peer)) {
            for (int i = 0; i < 2_000; i++) {
                assertThat(exchange.send(CALL, null).text()).isEqualTo("ok");
            }
            assertThat(peer.connections()).isEqualTo(1);
        }
    }

    @Test
    void aCallToAPeerThatAllowsNoStreamsIsRejected() throws Exception {
        try (FramePeer peer = secure(talk -> {
                    talk.open(0);
                    talk.awaitEnd();
                });
                Http2Exchange exchange = exchange(peer, pool(9, Duration.ofMillis(200)))) {
            Rejected rejected = catchThrowableOfType(Rejected.class, () -> exchange.send(CALL, null));
            assertThat(rejected.why()).isEqualTo(Rejected.Cause.POOL);
            assertThat(rejected).hasMessageContaining("that the target allows");
            assertThat(peer.requests()).isEmpty();
            assertThat(peer.connections()).isEqualTo(1);
        }
    }

    /** The content is sent as the peer allows it, never a byte more. */
    @Test
    void contentWaitsForAPeerThatAcceptsNoneYet() throws Exception {
        List<Integer> lengths = new ArrayList<>();
        try (FramePeer peer = FramePeer.plain(talk -> {
                    talk.open(-1);
                    talk.settings(H2Param.INITIAL_WINDOW_SIZE, 0);
                    talk.next(FrameType.SETTINGS); // its own
                    talk.next(FrameType.SETTINGS); // its acknowledgements
                    talk.next(FrameType.SETTINGS);
                    int stream = talk.next(FrameType.HEADERS).getStreamId();
                    talk.windowUpdate(stream, 1);
                    lengths.add(talk.next(FrameType.DATA).getLength());
                    talk.windowUpdate(stream, 3);
                    lengths.add(talk.next(FrameType.DATA).getLength());
                    talk.settings(H2Param.INITIAL_WINDOW_SIZE, 1);
                    lengths.add(talk.next(FrameType.DATA).getLength());
                    talk.settings(H2Param.INITIAL_WINDOW_SIZE, 0);
                    talk.windowUpdate(stream, 2);
                    RawFrame last = talk.next(FrameType.DATA);
                    lengths.add(last.getLength());
                    talk.answer(stream, "ok");
                    talk.awaitEnd();
                });
                Http2Exchange exchange = exchange(peer)) {
            assertThat(exchange.send(HttpCall.post("/", "123456"), null).text()).isEqualTo("ok");
        }
        assertThat(lengths).containsExactly(1, 3, 1, 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 103})
    void aRefusalAfterAnInterimAnswerIsUnknown(int status) throws Exception {
        for (boolean goesAway : new boolean[] {false, true}) {
            try (FramePeer peer = FramePeer.plain(talk -> {
                        talk.open(100);
                        int stream = talk.request().stream();
                        talk.head(status, stream, false);
                        if (goesAway) {
                            talk.goAway(stream - 2, H2Error.NO_ERROR);
                        } else {
                            talk.reset(stream, H2Error.REFUSED_STREAM);
                        }
                        talk.awaitEnd();
                    });
                    Http2Exchange exchange = exchange(peer)) {
                assertThat(catchThrowableOfType(Unknown.class, () -> exchange.send(CALL, null)))
                        .isNotNull();
                assertThat(peer.requests()).hasSize(1);
            }
        }
    }

    /** Another call keeps the connection open. */
    @ParameterizedTest
    @ValueSource(strings = {"head", "whole", "interim", "data"})
    void anAnswerThatNobodyWaitsForIsCancelled(String late) throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        AtomicReference<List<String>> resets = new AtomicReference<>(List.of());
        try (FramePeer peer = FramePeer.plain(talk -> {
                    resets.set(talk.resets());
                    talk.open(100);
                    int first = talk.request().stream();
                    if (late.equals("data")) {
                        talk.head(first, false);
                    }
                    int second = talk.request().stream();
                    over.await();
                    switch (late) {
                        case "head" -> talk.head(first, false);
                        case "interim" -> talk.head(103, first, false);
                        case "data" -> talk.data(first, "late", false);
                        default -> talk.answer(first, "late");
                    }
                    if (!late.equals("whole")) {
                        talk.next(FrameType.RST_STREAM);
                    }
                    talk.answer(second, "ok");
                    talk.awaitEnd();
                });
                Http2Exchange exchange = exchange(peer, times(LONG, LONG, LONG))) {
            CompletableFuture<Thread> thread = new CompletableFuture<>();
            CompletableFuture<Throwable> given = Http2Kit.interruptible(exchange, thread);
            Http2Kit.awaitRequests(peer, 1);
            CompletableFuture<HttpAnswer> other = inThread(exchange);
            Http2Kit.awaitRequests(peer, 2);
            thread.get().interrupt();
            assertThat(given.get()).isInstanceOf(Unknown.class);
            over.countDown();
            assertThat(other.get().text()).isEqualTo("ok");
            assertThat(resets.get()).isSubsetOf("1 CANCEL");
        }
    }
}
