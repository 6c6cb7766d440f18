package dev.penstock.udp.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Deadline;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import dev.penstock.udp.Datagram;
import java.io.IOException;
import java.net.DatagramPacket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many concurrent callers, over native sockets and over Java's. */
@Timeout(120)
class UdpTargetRealClockTest {
    private static final int CALLERS = 100;
    private static final int EACH = 20;

    private static UdpTargetBuilder target(Peer peer, boolean plain) {
        UdpTargetBuilder target = UdpTarget.at("127.0.0.1", peer.port()).ids(RequestIds.header());
        return plain ? target.plainSockets() : target;
    }

    private static <T> List<T> all(List<Callable<T>> work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<T> done = new ArrayList<>();
            for (Future<T> one : threads.invokeAll(work)) {
                done.add(one.get());
            }
            return done;
        }
    }

    private static String ask(UdpTarget target, String text, Duration atMost) throws Exception {
        return ask(target, text, Deadline.in(atMost));
    }

    private static String ask(UdpTarget target, String text, Deadline deadline) throws Exception {
        return deadline.call(() ->
                new String(target.call(Datagram.of(text.getBytes(StandardCharsets.UTF_8))), StandardCharsets.UTF_8));
    }

    private static boolean caller(UdpTarget target, int number) throws Exception {
        for (int i = 0; i < EACH; i++) {
            String text = number + ":" + i;
            if (!ask(target, text, Duration.ofMinutes(10)).equals(text)) {
                return false;
            }
        }
        return true;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyCallerGetsItsOwnAnswers(boolean plain) throws Exception {
        try (Peer peer = new Peer();
                UdpTarget target = target(peer, plain).onceById().build()) {
            Thread echo = Thread.ofPlatform().daemon().start(() -> {
                try {
                    peer.echo(Integer.MAX_VALUE);
                } catch (IOException closed) {
                    assertThat(closed).hasMessageContaining("losed");
                }
            });
            List<Callable<Boolean>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                int number = i;
                callers.add(() -> caller(target, number));
            }
            assertThat(all(callers)).hasSize(CALLERS).containsOnly(true);
            assertThat(target.counts())
                    .containsEntry("sent", (long) CALLERS * EACH)
                    .containsEntry("answered", (long) CALLERS * EACH)
                    .containsEntry("waiting", 0L);
            assertThat(echo.isAlive()).isTrue();
        }
    }

    /**
     * Every third new request is dropped, every fourth answered twice, and the last of each ten answered late: each
     * caller gets one correct answer.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void everyRequestGetsOneAnswerDespiteLossDuplicationAndDelay(boolean plain) throws Exception {
        try (Peer peer = new Peer();
                UdpTarget target = target(peer, plain)
                        .onceById()
                        .timeout(Duration.ofMillis(5), Duration.ofSeconds(1))
                        .attempts(10)
                        .build()) {
            Thread.ofPlatform().daemon().start(() -> faulty(peer));
            List<Callable<Boolean>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                int number = i;
                callers.add(() -> caller(target, number));
            }
            assertThat(all(callers)).containsOnly(true);
            assertThat(target.counts().get("answered")).isEqualTo((long) CALLERS * EACH);
            assertThat(target.counts().get("repeated")).isPositive();
            assertThat(target.counts().get("late")).isPositive();
        }
    }

    private static void faulty(Peer peer) {
        List<DatagramPacket> late = new ArrayList<>();
        Set<String> before = new HashSet<>();
        try {
            for (int i = 1; ; ) {
                DatagramPacket came = peer.next();
                if (!before.add(Peer.text(came))) {
                    peer.answer(came, Peer.text(came));
                    continue;
                }
                if (i % 10 == 0) {
                    late.add(came);
                } else if (i % 3 != 0) {
                    peer.answer(came, Peer.text(came));
                }
                if (i % 4 == 0 && i % 3 != 0) {
                    peer.answer(came, Peer.text(came));
                }
                if (late.size() > 5) {
                    DatagramPacket first = late.removeFirst();
                    peer.answer(first, Peer.text(first));
                }
                i++;
            }
        } catch (IOException closed) {
            assertThat(closed).hasMessageContaining("losed");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void recognizesThePeerOverIpv6(boolean plain) throws Exception {
        try (Peer peer = new Peer("::1")) {
            UdpTargetBuilder built = UdpTarget.at("::1", peer.port()).ids(RequestIds.header());
            try (UdpTarget target = (plain ? built.plainSockets() : built).build()) {
                Thread.ofPlatform().daemon().start(() -> {
                    try {
                        peer.echo(1);
                    } catch (IOException closed) {
                        assertThat(closed).hasMessageContaining("losed");
                    }
                });
                assertThat(ask(target, "six", Duration.ofMinutes(10))).isEqualTo("six");
                assertThat(target.where()).isEqualTo("udp://[::1]:" + peer.port());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void absentPeerIsUnknownAtTheDeadline(boolean plain) throws Exception {
        ManualTicker ticker = new ManualTicker();
        int port;
        try (Peer gone = new Peer()) {
            port = gone.port();
        }
        UdpTargetBuilder nobody =
                UdpTarget.at("127.0.0.1", port).ids(RequestIds.header()).world(ticker, new SplittableRandom(1));
        try (UdpTarget target = (plain ? nobody.plainSockets() : nobody).build()) {
            List<Callable<String>> callers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                callers.add(() -> {
                    try {
                        return ask(target, "x", Deadline.in(Duration.ofSeconds(20), ticker));
                    } catch (Unknown unknown) {
                        return unknown.why().name();
                    }
                });
            }
            Thread clock = Thread.ofVirtual().start(() -> {
                ticker.awaitParked(3);
                ticker.advance(Duration.ofSeconds(20));
            });
            assertThat(all(callers)).containsOnly("TIMEOUT");
            clock.join();
        }
    }
}
