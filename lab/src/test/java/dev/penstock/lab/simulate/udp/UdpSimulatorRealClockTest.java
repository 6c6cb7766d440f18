package dev.penstock.lab.simulate.udp;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.lab.simulate.Delay;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class UdpSimulatorRealClockTest {
    private static final int PATIENCE_MS = 60_000;
    private DatagramSocket client;

    @BeforeEach
    void open() throws IOException {
        client = new DatagramSocket();
        client.setSoTimeout(PATIENCE_MS);
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void answersWithWhatCameReplacedWhereItWasFound() throws IOException {
        try (UdpSimulator simulator =
                UdpSimulator.plan().replace("old", "newer").start()) {
            send(simulator, "the old, old man");
            assertThat(received()).isEqualTo("the newer, newer man");
            send(simulator, "");
            assertThat(received()).isEmpty();
            while (simulator.report().waiting() > 0) {
                Thread.onSpinWait(); // an answer counts once the system has taken it, which its receiver may see first
            }
            UdpReport report = simulator.report();
            assertThat(report.received()).isEqualTo(2);
            assertThat(report.answered()).isEqualTo(2);
            assertThat(report.bytes()).isEqualTo(16);
            assertThat(simulator).asString().startsWith("udp://127.0.0.1:");
        }
    }

    @Test
    void dropsAndRepeatsTheShareItIsToldAndCountsEachOne() throws IOException {
        try (UdpSimulator simulator = UdpSimulator.plan()
                .drop(0.3)
                .duplicate(0.2)
                .random(new SplittableRandom(5))
                .start()) {
            int answers = 0;
            for (int i = 0; i < 200; i++) {
                send(simulator, "one");
                while (simulator.report().received() <= i) {
                    Thread.onSpinWait();
                }
            }
            UdpReport report = simulator.report();
            for (; answers < report.answered(); answers++) {
                assertThat(received()).isEqualTo("one");
            }
            assertThat(report.dropped()).isBetween(40L, 80L);
            assertThat(report.twice()).isBetween(15L, 45L);
            assertThat(report.received() + report.twice())
                    .isEqualTo(
                            report.answered() + report.dropped() + report.full() + report.unsent() + report.waiting());
        }
    }

    @Test
    void delaysAndHoldsBackSoThatLaterOnesOvertake() throws IOException {
        try (UdpSimulator simulator = UdpSimulator.plan()
                .delay(new Delay.Constant(Duration.ofMillis(5)))
                .reorder(0.3, Duration.ofMillis(1_000))
                .random(new SplittableRandom(2))
                .start()) {
            List<String> sent = new ArrayList<>();
            long start = System.nanoTime();
            for (int i = 0; i < 20; i++) {
                sent.add(String.valueOf(i));
                send(simulator, String.valueOf(i));
            }
            List<String> came = new ArrayList<>();
            came.add(received());
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(5_000_000);
            while (came.size() < 20) {
                came.add(received());
            }
            assertThat(came).containsExactlyInAnyOrderElementsOf(sent).isNotEqualTo(sent);
            assertThat(simulator.report().heldBack()).isBetween(1L, 15L);
            assertThat(simulator.report().lines())
                    .anySatisfy(line -> assertThat(line).contains("held back"));
        }
    }

    @Test
    void endsWhileAnswersWait() throws IOException {
        UdpSimulator simulator = UdpSimulator.plan()
                .delay(new Delay.Constant(Duration.ofHours(1)))
                .start();
        send(simulator, "never");
        while (simulator.report().waiting() == 0) {
            Thread.onSpinWait();
        }
        simulator.close();
        simulator.close();
        assertThat(simulator.report().waiting()).isEqualTo(1);
        client.setSoTimeout(1);
        assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(this::received);
    }

    @Test
    void refusesWhatCannotBe() throws IOException {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UdpSimulator.plan().drop(1.1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UdpSimulator.plan().replace("", "x"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UdpSimulator.plan().receiveBuffer(0));
        try (UdpSimulator first = UdpSimulator.plan().start()) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() ->
                            UdpSimulator.plan().port(first.local().getPort()).start())
                    .withMessageContaining("choose another port");
        }
    }

    private void send(UdpSimulator simulator, String text) throws IOException {
        byte[] bytes = text.getBytes(US_ASCII);
        client.send(new DatagramPacket(bytes, bytes.length, simulator.local()));
    }

    private String received() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[100], 100);
        client.receive(packet);
        return new String(packet.getData(), 0, packet.getLength(), US_ASCII);
    }
}
