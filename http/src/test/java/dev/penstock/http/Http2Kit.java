package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** What tests of exchanges over HTTP/2 have in common. */
final class Http2Kit {
    static final HttpCall CALL = HttpCall.post("/v1/tx?m=1", "<pay/>");

    /** Longer than any test takes. */
    static final Duration LONG = Duration.ofMinutes(10);

    static final SSLContext TLS = SelfSigned.context();

    static final List<String> BOTH = List.of("h2", "http/1.1");

    static final FramePeer.Script ANSWERING = talk -> {
        talk.open(100);
        while (true) {
            talk.answer(talk.request().stream(), "ok");
        }
    };

    private Http2Kit() {}

    /** Limits that no test runs into. */
    static TargetLimits limits() {
        return pool(1_000, LONG);
    }

    static TargetLimits pool(@Nullable Integer max, Duration wait) {
        return limits(max, wait, LONG, null, LONG, LONG, 16 << 20);
    }

    static TargetLimits maxAnswer(int bytes) {
        return limits(9, LONG, LONG, null, LONG, LONG, bytes);
    }

    static TargetLimits maxAge(Duration age) {
        return limits(9, LONG, LONG, age, LONG, LONG, 99);
    }

    static TargetLimits times(Duration idle, Duration connect, Duration response) {
        return limits(9, LONG, idle, null, connect, response, 99_999);
    }

    private static TargetLimits limits(
            @Nullable Integer max,
            Duration wait,
            Duration idle,
            @Nullable Duration age,
            Duration connect,
            Duration response,
            int answer) {
        return new TargetLimits(max, wait, idle, age, connect, response, answer);
    }

    static Http2Exchange exchange(Address address, TargetLimits limits, SSLContext context) {
        return new Http2Exchange(
                address, limits, address.secure() ? () -> context : null, new ExchangeMonitor("", null));
    }

    static Http2Exchange exchange(FramePeer peer) {
        return exchange(peer, limits());
    }

    static Http2Exchange exchange(FramePeer peer, TargetLimits limits) {
        return exchange(peer.address(), limits, TLS);
    }

    static FramePeer secure(FramePeer.Script script) throws Exception {
        return FramePeer.secure(TLS, BOTH, script);
    }

    /** Why there is no connection. */
    static Failed failure(Http2Exchange exchange) {
        Failed failed = catchThrowableOfType(Failed.class, () -> exchange.send(CALL, null));
        assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT);
        return failed;
    }

    /** Waits until a count is as expected; the test's own timeout ends it when it never is. */
    static void await(Exchange exchange, String state, long count) {
        Calls.until(() -> exchange.connections().getOrDefault(state, -1L) == count);
    }

    static void awaitNoConnection(Exchange exchange) {
        // In this order: one that was leased is idle next, and here never the other way round.
        await(exchange, "leased", 0);
        await(exchange, "idle", 0);
    }

    static void awaitRequests(FramePeer peer, int count) {
        Calls.until(() -> peer.requests().size() >= count);
    }

    /** The names of the threads that carry connections. */
    static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("penstock-h2"))
                .toList();
    }

    /** Waits until no thread carries connections: closing waits for one only for a moment. */
    static void awaitNoThread() {
        Calls.until(() -> threads().isEmpty());
    }

    /** A deadline by a clock that stands: however long it takes until a request is sent, all of the time is left then. */
    static Deadline onceSent(Duration time) {
        return Deadline.in(time, new ManualTicker());
    }

    static CompletableFuture<HttpAnswer> inThread(Exchange exchange) {
        return inThread(exchange, null);
    }

    static CompletableFuture<HttpAnswer> inThread(Exchange exchange, @Nullable Deadline deadline) {
        CompletableFuture<HttpAnswer> done = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                done.complete(exchange.send(CALL, deadline));
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    /** What a call throws that is made in a thread of its own. */
    static Throwable thrown(CompletableFuture<HttpAnswer> call) throws Exception {
        return call.<Throwable>handle((_, e) -> e == null ? new AssertionError("answered") : e)
                .get();
    }

    /** What a call throws on a thread of its own, once that thread has been seen to be still interrupted. */
    static CompletableFuture<Throwable> interruptible(Exchange exchange, CompletableFuture<Thread> thread) {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            thread.complete(Thread.currentThread());
            try {
                exchange.send(CALL, null);
                thrown.complete(new AssertionError("answered"));
            } catch (Exception e) {
                thrown.complete(
                        Thread.currentThread().isInterrupted() ? e : new AssertionError("the interrupt was lost"));
            }
        });
        return thrown;
    }
}
