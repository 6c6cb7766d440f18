package dev.penstock.udp.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import dev.penstock.supervise.Supervisor;
import dev.penstock.udp.Datagram;
import java.net.DatagramPacket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Against a real socket on loopback that the test controls, with a manual clock. */
@Timeout(120)
class UdpTargetTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final ManualTicker ticker = new ManualTicker();
    private Peer peer;

    @BeforeEach
    void open() throws Exception {
        peer = new Peer();
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private UdpTargetBuilder target() {
        return UdpTarget.at("127.0.0.1", peer.port()).ids(RequestIds.at(0, 2)).world(ticker, new SplittableRandom(1));
    }

    private static Datagram datagram(String text) {
        return Datagram.of(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private FutureTask<String> call(UdpTarget target, String text) {
        FutureTask<String> call = new FutureTask<>(() -> Deadline.in(DEADLINE, ticker)
                .call(() -> new String(target.call(datagram(text)), StandardCharsets.ISO_8859_1)));
        Thread.ofVirtual().start(call);
        return call;
    }

    private static String answer(FutureTask<String> call) throws Exception {
        return call.get(60, TimeUnit.SECONDS);
    }

    private static Unanswered ending(FutureTask<String> call) {
        ExecutionException thrown = catchThrowableOfType(ExecutionException.class, () -> answer(call));
        return (Unanswered) java.util.Objects.requireNonNull(thrown.getCause());
    }

    @Test
    void errorInTheAnswerReaderIsCountedAndTheNextCallReopens() throws Exception {
        Supervisor supervisor = Supervisor.create();
        AtomicBoolean failed = new AtomicBoolean();
        Ticker failing = new Ticker() {
            @Override
            public long nanos() {
                if (Thread.currentThread().getName().startsWith("penstock-udp-answers")
                        && failed.compareAndSet(false, true)) {
                    throw new NoClassDefFoundError("com/example/Gone");
                }
                return ticker.nanos();
            }

            @Override
            public void parkUntil(long nanos) {
                ticker.parkUntil(nanos);
            }
        };
        UdpTargetBuilder builder = target().world(failing, new SplittableRandom(1));
        try (UdpTarget target = supervisor.whileCurrent(builder::build)) {
            FutureTask<String> lost = call(target, "01 lost");
            peer.answer(peer.next(), "01 LOST");
            while (supervisor.faults().getOrDefault("udp-answers", 0L) < 1) {
                Thread.onSpinWait();
            }
            while (target.connections().getOrDefault("open", 0L) > 0) {
                Thread.onSpinWait();
            }
            FutureTask<String> next = call(target, "02 next");
            peer.answer(peer.next(), "02 NEXT");
            assertThat(answer(next)).isEqualTo("02 NEXT");
            assertThat(target.connections()).containsEntry("opened", 2L);
            assertThat(lost).isNotDone();
            assertThat(supervisor.faults()).containsEntry("udp-answers", 1L);
        }
        assertThat(supervisor.down()).isEmpty();
    }

    @Test
    void matchesAnswersByIdInAnyOrder() throws Exception {
        try (UdpTarget target = target().build()) {
            FutureTask<String> one = call(target, "01 one");
            DatagramPacket first = peer.next();
            FutureTask<String> two = call(target, "02 two");
            DatagramPacket second = peer.next();
            peer.answer(second, "02 TWO");
            peer.answer(first, "01 ONE");
            assertThat(answer(one)).isEqualTo("01 ONE");
            assertThat(answer(two)).isEqualTo("02 TWO");
            assertThat(target.counts()).containsEntry("sent", 2L).containsEntry("answered", 2L);
            assertThat(target.counters().get("datagrams")).containsEntry("target_sent", 2L);
        }
    }

    @Test
    void resendsALostRequestWithTheSameId() throws Exception {
        try (UdpTarget target = target().onceById().build()) {
            FutureTask<String> call = call(target, "01 pay");
            assertThat(Peer.text(peer.next())).isEqualTo("01 pay");
            ticker.awaitParked(1);
            ticker.advance(Duration.ofMillis(1_250));
            DatagramPacket again = peer.next();
            assertThat(Peer.text(again)).isEqualTo("01 pay");
            peer.answer(again, "01 paid");
            assertThat(answer(call)).isEqualTo("01 paid");
            assertThat(target.counts()).containsEntry("sent", 1L).containsEntry("repeated", 1L);
        }
    }

    @Test
    void doesNotMeasureAnAnswerToARepeat() throws Exception {
        try (UdpTarget target = target().onceById().build()) {
            FutureTask<String> call = call(target, "01");
            peer.next();
            ticker.awaitParked(1);
            ticker.advance(Duration.ofMillis(1_250));
            peer.answer(peer.next(), "01");
            answer(call);
            assertThat(target.settings().getFirst().value()).isEqualTo("2 s");
            assertThat(target.settings().getFirst().reason()).contains("nothing measured yet");
        }
    }

    @Test
    void measuresAnAnswerToAFirstAttempt() throws Exception {
        try (UdpTarget target = target().build()) {
            FutureTask<String> call = call(target, "01");
            DatagramPacket came = peer.next();
            ticker.awaitParked(1);
            ticker.advance(Duration.ofMillis(100));
            peer.answer(came, "01");
            answer(call);
            assertThat(target.settings().getFirst().value()).isEqualTo("300 ms");
            assertThat(target.settings().getFirst().reason()).contains("1 answers took 100 ms");
        }
    }

    @Test
    void doesNotResendByDefault() throws Exception {
        try (UdpTarget target = target().build()) {
            FutureTask<String> call = call(target, "01 pay");
            peer.next();
            ticker.awaitParked(1);
            ticker.advance(DEADLINE);
            Unanswered ending = ending(call);
            assertThat(ending).isInstanceOf(Unknown.class);
            assertThat(ending.why()).isEqualTo(Unknown.Cause.TIMEOUT);
            assertThat(ending).hasMessageContaining("sent once, and no answer").hasMessageContaining("in 20 s");
            assertThat(target.counts()).containsEntry("repeated", 0L).containsEntry("waiting", 0L);
        }
    }

    @Test
    void rejectsSeveralAttemptsWithoutOnceById() {
        assertThatThrownBy(() -> target().attempts(3).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("onceById()");
    }

    @Test
    void pinnedTimeoutEndsTheLastAttempt() throws Exception {
        try (UdpTarget target =
                target().onceById().timeout(Duration.ofMillis(100)).attempts(2).build()) {
            FutureTask<String> call = call(target, "01 pay");
            peer.next();
            ticker.awaitParked(1);
            ticker.advance(Duration.ofMillis(125));
            peer.next();
            ticker.awaitParked(1);
            ticker.advance(Duration.ofMillis(250));
            assertThat(ending(call)).hasMessageContaining("sent 2 times");
        }
    }

    @Test
    void countsAndIgnoresDuplicateAndLateAnswers() throws Exception {
        try (UdpTarget target = target().build()) {
            FutureTask<String> one = call(target, "01");
            DatagramPacket came = peer.next();
            peer.answer(came, "01 first");
            assertThat(answer(one)).isEqualTo("01 first");
            peer.answer(came, "01 second");
            FutureTask<String> two = call(target, "02");
            peer.answer(peer.next(), "02");
            assertThat(answer(two)).isEqualTo("02");
            assertThat(target.counts()).containsEntry("late", 1L).containsEntry("answered", 2L);
        }
    }

    @Test
    void countsAndIgnoresAnswersOfOtherSenders() throws Exception {
        try (UdpTarget target = target().build();
                Peer stranger = new Peer()) {
            FutureTask<String> call = call(target, "01");
            DatagramPacket came = peer.next();
            stranger.answer(came, "01 forged");
            peer.answer(came, "01 true");
            assertThat(answer(call)).isEqualTo("01 true");
            assertThat(target.counts()).containsEntry("strangers", 1L);
        }
    }

    @Test
    void countsAndIgnoresAnswersWithoutAnId() throws Exception {
        try (UdpTarget target = target().build()) {
            FutureTask<String> call = call(target, "01");
            DatagramPacket came = peer.next();
            peer.answer(came, "");
            peer.answer(came, "x");
            peer.answer(came, "01");
            assertThat(answer(call)).isEqualTo("01");
            assertThat(target.counts()).containsEntry("unreadable", 2L);
        }
    }

    @Test
    void truncatedAnswerIsUnknown() throws Exception {
        try (UdpTarget target = target().maxSize(16).build()) {
            FutureTask<String> call = call(target, "01");
            peer.answer(peer.next(), "01" + "x".repeat(100));
            assertThat(ending(call).why()).isEqualTo(Unknown.Cause.GARBLED);
            assertThat(target.counts()).containsEntry("truncated", 1L);
        }
    }

    @Test
    void rejectsRequestsWithoutAnIdOrTooLarge() {
        try (UdpTarget target = target().maxSize(16).build()) {
            Failed none = catchThrowableOfType(Failed.class, () -> target.call(datagram("x")));
            assertThat(none.why()).isEqualTo(Failed.Cause.REFUSED);
            Failed large = catchThrowableOfType(Failed.class, () -> target.call(datagram("x".repeat(17))));
            assertThat(large).hasMessageContaining("larger than max_size, 16");
        }
    }

    @Test
    void rejectsTooManyCallsAndDuplicateIds() throws Exception {
        try (UdpTarget target = target().waiting(2).build()) {
            FutureTask<String> one = call(target, "01");
            DatagramPacket first = peer.next();
            assertThat(ending(call(target, "01"))).hasMessageContaining("with the same id is in progress");
            FutureTask<String> two = call(target, "02");
            DatagramPacket second = peer.next();
            Unanswered full = ending(call(target, "03"));
            assertThat(full.why()).isEqualTo(Rejected.Cause.LIMIT);
            assertThat(full).hasMessageContaining("2 requests already wait");
            peer.answer(first, "01");
            peer.answer(second, "02");
            assertThat(answer(one) + answer(two)).isEqualTo("0102");
        }
    }

    @Test
    void rejectsACallAfterItsDeadline() throws Exception {
        try (UdpTarget target = target().build()) {
            assertThatThrownBy(() -> Deadline.in(Duration.ZERO, ticker).call(() -> target.call(datagram("01"))))
                    .isInstanceOfSatisfying(
                            Rejected.class,
                            rejected -> assertThat(rejected.why()).isEqualTo(Rejected.Cause.DEADLINE));
        }
    }

    @Test
    void unknownHostIsAConnectFailure() {
        try (UdpTarget target =
                UdpTarget.at("nobody.invalid", 9).ids(RequestIds.header()).build()) {
            assertThatThrownBy(() -> target.call(datagram("01")))
                    .isInstanceOfSatisfying(
                            Failed.class, failed -> assertThat(failed.why()).isEqualTo(Failed.Cause.CONNECT))
                    .hasMessageContaining("check the name or the DNS server");
        }
    }

    @Test
    void unreachableAddressIsAConnectFailure() {
        try (UdpTarget target =
                UdpTarget.at("240.0.0.1", 9).ids(RequestIds.header()).build()) {
            assertThatThrownBy(() -> Deadline.in(Duration.ofMillis(200)).call(() -> target.call(datagram("01"))))
                    .isInstanceOf(Unanswered.class);
        }
    }

    @Test
    void closeEndsPendingCallsAsUnknownAndRejectsLaterOnes() throws Exception {
        UdpTarget target = target().build();
        FutureTask<String> call = call(target, "01");
        peer.next();
        ticker.awaitParked(1);
        target.close();
        target.close();
        assertThat(ending(call).why()).isEqualTo(Unknown.Cause.CLOSED);
        assertThat(ending(call(target, "02")).why()).isEqualTo(Rejected.Cause.DRAINING);
        assertThat(target.connections()).containsEntry("open", 0L).containsEntry("opened", 1L);
    }

    @Test
    void interruptedCallIsUnknown() throws Exception {
        try (UdpTarget target = target().build()) {
            FutureTask<String> call = call(target, "01");
            peer.next();
            ticker.awaitParked(1);
            call.cancel(true);
            while (target.counts().getOrDefault("waiting", 0L) > 0) {
                if (Thread.interrupted()) {
                    throw new AssertionError("it did not become so in time");
                }
                Thread.onSpinWait();
            }
            assertThat(target.counts()).containsEntry("answered", 0L);
        }
    }

    @Test
    void reportsSettingsBeforeOpening() {
        try (UdpTarget target = target().build()) {
            assertThat(target.connections()).containsEntry("opened", 0L);
            assertThat(target.where()).isEqualTo("udp://127.0.0.1:" + peer.port());
            assertThat(target.settings())
                    .extracting("name")
                    .contains("timeout", "attempts", "id", "max_size", "waiting");
        }
    }
}
