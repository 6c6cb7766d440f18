package dev.penstock.udp.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.udp.Datagram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Opening a socket takes no longer than the caller's deadline, and errors while opening or reading affect no later
 * call.
 */
@Timeout(60)
class UdpTargetOpeningRealClockTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(30);

    private static UdpTargetBuilder target(Peer peer, UdpTargetBuilder.Lookup lookup) {
        return UdpTarget.at("peer.example", peer.port())
                .ids(RequestIds.header())
                .lookup(lookup);
    }

    private static byte[] ask(UdpTarget target, Duration time) throws Exception {
        return Deadline.in(time).call(() -> target.call(Datagram.of(new byte[] {1})));
    }

    private static Unanswered ending(UdpTarget target, Duration time) {
        return catchThrowableOfType(Unanswered.class, () -> ask(target, time));
    }

    private static void echo(Peer peer, int count) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                peer.echo(count);
            } catch (IOException closed) {
                assertThat(closed).hasMessageContaining("losed");
            }
        });
    }

    @Test
    void slowLookupEndsAtTheDeadlineAndMetricsStayReadable() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        AtomicInteger lookups = new AtomicInteger();
        try (Peer peer = new Peer();
                UdpTarget target = target(peer, host -> {
                            lookups.incrementAndGet();
                            awaitUninterrupted(answered);
                            return InetAddress.getLoopbackAddress();
                        })
                        .build()) {
            FutureTask<Unanswered> first = new FutureTask<>(() -> ending(target, SHORT));
            FutureTask<Unanswered> second = new FutureTask<>(() -> ending(target, SHORT));
            Thread.ofVirtual().start(first);
            Thread.ofVirtual().start(second);
            assertThat(first.get().why()).isEqualTo(Failed.Cause.CONNECT);
            assertThat(second.get())
                    .hasMessageContaining("the lookup of host peer.example has not ended; check the DNS server");
            FutureTask<Object> metrics = new FutureTask<>(target::connections);
            Thread.ofVirtual().start(metrics);
            assertThat(metrics.get().toString()).contains("opened=0");
            answered.countDown();
            echo(peer, 1);
            assertThat(ask(target, LONG)).containsExactly(1);
            assertThat(target.connections()).containsEntry("open", 1L).containsEntry("opened", 1L);
            assertThat(lookups).hasValue(1);
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void closeEndsCallsThatWaitForALookup() throws Exception {
        CountDownLatch lookedUp = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        try (Peer peer = new Peer();
                UdpTarget target = target(peer, host -> {
                            lookedUp.countDown();
                            awaitUninterrupted(answered);
                            return InetAddress.getLoopbackAddress();
                        })
                        .build()) {
            FutureTask<Unanswered> call = new FutureTask<>(() -> ending(target, LONG));
            Thread.ofVirtual().start(call);
            lookedUp.await();
            target.close();
            assertThat(call.get().why()).isEqualTo(Rejected.Cause.DRAINING);
        } finally {
            answered.countDown();
        }
    }

    @Test
    void reportsAnUnknownHostAndLooksItUpAgain() throws Exception {
        AtomicInteger lookups = new AtomicInteger();
        try (Peer peer = new Peer();
                UdpTarget target = target(peer, host -> {
                            if (lookups.incrementAndGet() == 1) {
                                throw new UnknownHostException(host);
                            }
                            return InetAddress.getLoopbackAddress();
                        })
                        .build()) {
            assertThat(ending(target, LONG))
                    .hasMessage("unknown host peer.example; check the name or the DNS server")
                    .extracting(Unanswered::why)
                    .isEqualTo(Failed.Cause.CONNECT);
            echo(peer, 1);
            assertThat(ask(target, LONG)).containsExactly(1);
        }
    }

    @Test
    void errorWhileOpeningFailsOnlyThisCall() throws Exception {
        AtomicInteger lookups = new AtomicInteger();
        try (Peer peer = new Peer();
                UdpTarget target = target(peer, host -> {
                            if (lookups.incrementAndGet() == 1) {
                                throw new NoClassDefFoundError("org/example/Resolver");
                            }
                            return InetAddress.getLoopbackAddress();
                        })
                        .build()) {
            assertThat(ending(target, LONG))
                    .hasMessageContaining("org/example/Resolver")
                    .extracting(Unanswered::why)
                    .isEqualTo(Failed.Cause.CONNECT);
            echo(peer, 1);
            assertThat(ask(target, LONG)).containsExactly(1);
        }
    }

    @Test
    void errorInTheIdFunctionAffectsOneAnswer() throws Exception {
        AtomicInteger answers = new AtomicInteger();
        RequestIds ids = RequestIds.found(request -> "r" + request[0], answer -> {
            if (answers.incrementAndGet() == 2) {
                throw new StackOverflowError("in the code that finds ids");
            }
            return "r" + answer[0];
        });
        try (Peer peer = new Peer();
                UdpTarget target =
                        UdpTarget.at("127.0.0.1", peer.port()).ids(ids).build()) {
            echo(peer, 3);
            assertThat(ask(target, LONG)).containsExactly(1);
            assertThat(ending(target, SHORT).why()).isEqualTo(Unknown.Cause.TIMEOUT);
            assertThat(ask(target, LONG)).containsExactly(1);
            assertThat(target.counts()).containsEntry("unreadable", 1L).containsEntry("answered", 2L);
            assertThat(target.connections()).containsEntry("opened", 1L);
        }
    }
}
