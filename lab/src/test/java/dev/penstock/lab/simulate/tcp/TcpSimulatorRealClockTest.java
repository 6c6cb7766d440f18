package dev.penstock.lab.simulate.tcp;

import static dev.penstock.lab.simulate.tcp.Ends.receive;
import static dev.penstock.lab.simulate.tcp.Ends.reset;
import static dev.penstock.lab.simulate.tcp.Ends.send;
import static dev.penstock.lab.simulate.tcp.Ends.told;
import static dev.penstock.lab.simulate.tcp.Ends.toldInAMoment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.Ticker;
import dev.penstock.kit.ManualTicker;
import dev.penstock.kit.StablePort;
import dev.penstock.lab.simulate.Delay;
import java.io.IOException;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real sockets; the simulator's time is moved by hand. What it passes on, and how late. */
@Timeout(180)
class TcpSimulatorRealClockTest {
    private static final long SECOND = 1_000_000_000;
    private final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 5 * SECOND); // readings overflow on the way
    private Ends.Server server;

    @BeforeEach
    void listen() throws IOException {
        server = new Ends.Server();
    }

    @AfterEach
    void end() throws IOException {
        server.close();
    }

    @Test
    void passesOnBothWaysAndEachEndOnItsOwn() throws IOException {
        try (TcpSimulator simulator = plan().start();
                Ends ends = server.connect(simulator)) {
            send(ends.client, "question");
            assertThat(receive(ends.server, 8)).isEqualTo("question");
            ends.client.shutdownOutput();
            assertThat(told(ends.server)).isEqualTo("fin");

            send(ends.server, "answer");
            assertThat(receive(ends.client, 6)).isEqualTo("answer");
            assertThat(simulator.report().connections().open()).isEqualTo(1);
            ends.server.shutdownOutput();
            assertThat(told(ends.client)).isEqualTo("fin");

            TcpReport report = Reports.until(simulator, r -> r.connections().open() == 0);
            assertThat(report.connections().closedByPeers()).isEqualTo(1);
            assertThat(report.toServer()).isEqualTo(new TcpReport.Bytes(8, 8, 0, 0, 0));
            assertThat(report.toClient()).isEqualTo(new TcpReport.Bytes(6, 6, 0, 0, 0));
        }
    }

    @Test
    void aResetOfOneSideReachesTheOther() throws IOException {
        try (TcpSimulator simulator = plan().start();
                Ends first = server.connect(simulator);
                Ends second = server.connect(simulator)) {
            reset(first.client);
            assertThat(told(first.server)).isEqualTo("rst");
            reset(second.server);
            assertThat(told(second.client)).isEqualTo("rst");

            assertThat(Reports.until(simulator, r -> r.connections().open() == 0)
                            .connections()
                            .closedByPeers())
                    .isEqualTo(2);
        }
    }

    @Test
    void whatIsSentTogetherIsUnderWayTogether() throws IOException {
        Delay second = new Delay.Constant(Duration.ofSeconds(1));
        try (TcpSimulator simulator = plan().delay(second, Delay.NONE).start();
                Ends ends = server.connect(simulator)) {
            send(ends.client, "a");
            Reports.until(simulator, r -> r.toServer().underWay() == 1);
            ticker.awaitParked(2); // who watches, and who passes on
            ticker.advance(Duration.ofMillis(1));
            send(ends.client, "b");
            ends.client.shutdownOutput();
            Reports.until(simulator, r -> r.toServer().underWay() == 2);
            send(ends.server, "back at once");
            assertThat(receive(ends.client, 12)).isEqualTo("back at once");

            ticker.advance(Duration.ofNanos(999 * SECOND / 1000 - 1));
            assertThat(toldInAMoment(ends.server)).isEqualTo("nothing");
            ticker.advance(Duration.ofNanos(1));
            assertThat(receive(ends.server, 1)).isEqualTo("a");
            ticker.awaitParked(2);
            assertThat(toldInAMoment(ends.server)).isEqualTo("nothing");
            ticker.advance(Duration.ofMillis(1));
            assertThat(receive(ends.server, 2)).as("and then a FIN").isEqualTo("b");
        }
    }

    @Test
    void oneDelayGoesForBothWays() throws IOException {
        try (TcpSimulator simulator =
                        plan().delay(new Delay.Constant(Duration.ofSeconds(1))).start();
                Ends ends = server.connect(simulator)) {
            send(ends.client, "a");
            send(ends.server, "b");
            Reports.until(
                    simulator, r -> r.toServer().underWay() == 1 && r.toClient().underWay() == 1);
            ticker.advance(Duration.ofSeconds(1));
            assertThat(receive(ends.server, 1)).isEqualTo("a");
            assertThat(receive(ends.client, 1)).isEqualTo("b");
        }
    }

    @Test
    void allConnectionsTogetherKeepToTheRate() throws IOException {
        try (TcpSimulator simulator = plan().bytesPerSecond(1_000).start();
                Ends one = server.connect(simulator);
                Ends two = server.connect(simulator)) {
            send(one.client, "a".repeat(20));
            assertThat(receive(one.server, 20)).isEqualTo("a".repeat(20));
            send(two.client, "b".repeat(40));
            ticker.awaitParked(2); // who watches, and who waits for its turn
            Reports.until(simulator, r -> r.toServer().passed() > 0); // counted a moment after it was there
            assertThat(simulator.report().toServer().passed()).isEqualTo(20);
            send(two.server, "the way back is another");
            assertThat(receive(two.client, 20)).isEqualTo("the way back is anot");

            ticker.awaitParked(3);
            ticker.advance(Duration.ofMillis(20));
            assertThat(receive(two.server, 20)).isEqualTo("b".repeat(20));
            assertThat(receive(two.client, 3)).isEqualTo("her");
            ticker.awaitParked(2);
            Reports.until(simulator, r -> r.toServer().passed() > 20);
            assertThat(simulator.report().toServer().passed()).isEqualTo(40);
            ticker.advance(Duration.ofMillis(20));
            assertThat(receive(two.server, 20)).isEqualTo("b".repeat(20));
        }
    }

    @Test
    void megabytesComeOutAsTheyWentIn() throws Exception {
        byte[] much = new byte[5_000_000];
        new SplittableRandom(1).nextBytes(much);
        Delay spread = new Delay.Spread(Duration.ofMillis(1), Duration.ofMillis(1));
        try (TcpSimulator simulator = plan().ticker(Ticker.SYSTEM)
                        .delay(spread, Delay.NONE)
                        .bytesPerSecond(100_000_000)
                        .start();
                Ends ends = server.connect(simulator)) {
            CompletableFuture<byte[]> there = all(ends.server);
            CompletableFuture<byte[]> back = all(ends.client);
            CompletableFuture<Void> sent = CompletableFuture.allOf(write(ends.client, much), write(ends.server, much));
            sent.get();

            assertThat(Arrays.equals(there.get(), much)).isTrue();
            assertThat(Arrays.equals(back.get(), much)).isTrue();
            TcpReport report = Reports.until(simulator, r -> r.connections().open() == 0);
            assertThat(report.toServer()).isEqualTo(new TcpReport.Bytes(much.length, much.length, 0, 0, 0));
            assertThat(report.toClient()).isEqualTo(report.toServer());
        }
    }

    @Test
    void aServerThatIsNotThereResetsTheClientAndSaysWhy() throws IOException {
        TcpSimulatorBuilder plan = plan();
        server.close();
        try (TcpSimulator simulator = plan.start();
                Socket client = Ends.client(simulator)) {
            assertThat(told(client)).isEqualTo("rst");

            TcpReport report = Reports.until(simulator, r -> r.connections().unreachable() == 1);
            assertThat(report.lines()).anyMatch(line -> line.contains("could not be reached: Connection refused"));
        }
    }

    @Test
    void closesConnectionsBeyondItsBound() throws IOException {
        try (TcpSimulator simulator = plan().maxConnections(1).start();
                Ends ends = server.connect(simulator);
                Socket second = Ends.client(simulator)) {
            assertThat(told(second)).isEqualTo("fin");
            send(ends.client, "a");
            assertThat(receive(ends.server, 1)).isEqualTo("a");
            Reports.until(simulator, r -> r.connections().closedOtherwise() == 1);
        }
    }

    @Test
    void itsEndEndsAllAndLosesWhatIsUnderWay() throws IOException {
        TcpSimulator simulator =
                plan().delay(new Delay.Constant(Duration.ofSeconds(1))).start();
        try (Ends ends = server.connect(simulator)) {
            send(ends.client, "abc");
            Reports.until(simulator, r -> r.toServer().underWay() == 3);
            simulator.close();

            assertThat(told(ends.client)).isEqualTo("fin");
            assertThat(told(ends.server)).isEqualTo("fin");
            TcpReport report = simulator.report();
            assertThat(report.toServer()).isEqualTo(new TcpReport.Bytes(3, 0, 0, 3, 0));
            assertThat(report.connections().closedOtherwise()).isEqualTo(1);
            assertThat(report.connections().open()).isZero();
            simulator.close();
        }
    }

    @Test
    void saysWhereItCannotStand() throws IOException {
        assertThatExceptionOfType(UnknownHostException.class)
                .isThrownBy(() -> TcpSimulator.to("nowhere.invalid", 1).start())
                .withMessage("cannot find the host \"nowhere.invalid\": check its spelling, or use its address");
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> plan().port(server.port()).start())
                .withMessageContaining("the port is in use");
        int free = StablePort.free();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TcpSimulator.to("localhost", free).port(free).start())
                .withMessageContaining("would connect to itself");
    }

    private TcpSimulatorBuilder plan() {
        return TcpSimulator.to("localhost", server.port()).ticker(ticker);
    }

    private static CompletableFuture<byte[]> all(Socket socket) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return socket.getInputStream().readAllBytes();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                },
                Thread::startVirtualThread);
    }

    private static CompletableFuture<Void> write(Socket socket, byte[] bytes) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        socket.getOutputStream().write(bytes);
                        socket.shutdownOutput();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                },
                Thread::startVirtualThread);
    }
}
