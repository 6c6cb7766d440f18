package dev.penstock.lab.simulate.tcp;

import static dev.penstock.lab.simulate.tcp.Ends.receive;
import static dev.penstock.lab.simulate.tcp.Ends.reset;
import static dev.penstock.lab.simulate.tcp.Ends.send;
import static dev.penstock.lab.simulate.tcp.Ends.told;
import static dev.penstock.lab.simulate.tcp.Ends.toldInAMoment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.Ticker;
import dev.penstock.kit.ManualTicker;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.FaultSchedule;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real sockets; the simulator's time is moved by hand. How it kills and closes connections. */
@Timeout(180)
class TcpFaultsRealClockTest {
    private static final long SECOND = 1_000_000_000;
    private static final Duration IDLE = Duration.ofSeconds(5);
    private static final Duration SHORT_OF_IDLE = IDLE.minusNanos(1);
    private static final Duration NANO = Duration.ofNanos(1);
    private static final FaultSchedule TENTH = new FaultSchedule(Duration.ofSeconds(10), Duration.ofSeconds(1));
    private final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 7 * SECOND); // readings overflow on the way
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
    void killsByResetWithoutAnyTrafficAndNotTooSoon() throws IOException {
        try (TcpSimulator simulator = plan().killIdle(IDLE, IdleKill.RST).start();
                Ends ends = server.connect(simulator)) {
            ticker.awaitParked(1);
            ticker.advance(SHORT_OF_IDLE);
            assertThat(toldInAMoment(ends.client)).isEqualTo("nothing");
            ticker.advance(NANO);

            assertThat(told(ends.client)).isEqualTo("rst");
            assertThat(told(ends.server)).isEqualTo("rst");
            assertThat(Reports.until(simulator, r -> r.connections().open() == 0)
                            .connections()
                            .killedIdle())
                    .isEqualTo(Map.of(IdleKill.RST, 1L, IdleKill.FIN, 0L, IdleKill.BLACKHOLE, 0L));
        }
    }

    @Test
    void bytesOfEitherSideKeepItAlive() throws IOException {
        try (TcpSimulator simulator = plan().killIdle(IDLE, IdleKill.FIN).start();
                Ends ends = server.connect(simulator);
                Ends silent = server.connect(simulator)) {
            for (int i = 0; i < 3; i++) {
                ticker.awaitParked(1);
                ticker.advance(SHORT_OF_IDLE);
                send(i % 2 == 0 ? ends.client : ends.server, "a");
                assertThat(receive(i % 2 == 0 ? ends.server : ends.client, 1)).isEqualTo("a");
            }
            assertThat(told(silent.client)).isEqualTo("fin");
            assertThat(simulator.report().connections().open()).isEqualTo(1);
            ticker.advance(SHORT_OF_IDLE);
            assertThat(toldInAMoment(ends.client)).isEqualTo("nothing");
            ticker.advance(NANO);
            assertThat(told(ends.client)).isEqualTo("fin");
            assertThat(told(ends.server)).isEqualTo("fin");
        }
    }

    @Test
    void aBlackholeTakesAllAndTellsNothing() throws IOException {
        try (TcpSimulator simulator = plan().killIdle(IDLE, IdleKill.BLACKHOLE).start();
                Ends ends = server.connect(simulator);
                Ends more = server.connect(simulator)) {
            send(ends.client, "before");
            assertThat(receive(ends.server, 6)).isEqualTo("before");
            ticker.advance(IDLE);
            send(ends.client, "after");
            send(ends.server, "answer");
            TcpReport report = Reports.until(
                    simulator,
                    r -> r.toServer().blackholed() == 5 && r.toClient().blackholed() == 6);
            assertThat(report.toServer()).isEqualTo(new TcpReport.Bytes(11, 6, 5, 0, 0));
            assertThat(toldInAMoment(ends.client)).isEqualTo("nothing");
            assertThat(toldInAMoment(ends.server)).isEqualTo("nothing");

            ends.client.shutdownOutput();
            reset(more.client);
            ticker.advance(Duration.ofHours(1));
            assertThat(toldInAMoment(ends.server)).isEqualTo("nothing");
            assertThat(toldInAMoment(more.server)).isEqualTo("nothing");
            send(ends.server, "still");
            ends.server.shutdownOutput();
            Reports.until(simulator, r -> r.toClient().blackholed() == 11);
            assertThat(toldInAMoment(ends.client)).isEqualTo("nothing");

            TcpReport.Connections connections = simulator.report().connections();
            assertThat(connections.killedIdle()).containsEntry(IdleKill.BLACKHOLE, 2L);
            assertThat(connections.silent()).isEqualTo(2);
            assertThat(connections.open()).isZero();
            simulator.close();
            assertThat(simulator.report().connections().silent()).isZero();
        }
    }

    @Test
    void isNeverLateForBytesThatComeBeforeItsWatcher() throws IOException {
        Ticker nobodyWakes = new Ticker() {
            @Override
            public long nanos() {
                return ticker.nanos();
            }

            @Override
            public void parkUntil(long nanos) {
                LockSupport.park();
            }
        };
        try (TcpSimulator simulator = plan().ticker(nobodyWakes)
                        .killIdle(IDLE, IdleKill.BLACKHOLE)
                        .start();
                Ends ends = server.connect(simulator);
                Ends leaving = server.connect(simulator)) {
            ticker.advance(IDLE);
            send(ends.client, "late");
            Reports.until(simulator, r -> r.toServer().blackholed() == 4);
            assertThat(toldInAMoment(ends.server)).isEqualTo("nothing");
            leaving.client.close();
            Reports.until(simulator, r -> r.connections().killed() == 2);
            assertThat(toldInAMoment(leaving.server)).isEqualTo("nothing");
        }
    }

    @Test
    void aPeerThatLeavesAfterTheIdleTimeIsNotReportedToTheOther() throws IOException {
        try (TcpSimulator simulator = plan().killIdle(IDLE, IdleKill.BLACKHOLE).start();
                Ends ends = server.connect(simulator)) {
            ticker.advance(IDLE);
            ends.client.close();
            Reports.until(simulator, r -> r.connections().killed() == 1);
            assertThat(toldInAMoment(ends.server)).isEqualTo("nothing");
        }
    }

    @Test
    void whatIsUnderWayWhenItIsBlackholedIsThrownAway() throws IOException {
        try (TcpSimulator simulator = plan().delay(new Delay.Constant(IDLE.plusSeconds(1)))
                        .killIdle(IDLE, IdleKill.BLACKHOLE)
                        .start();
                Ends ends = server.connect(simulator)) {
            send(ends.client, "abc");
            Reports.until(simulator, r -> r.toServer().underWay() == 3);
            ticker.advance(IDLE);
            Reports.until(simulator, r -> r.connections().killed() == 1);
            ticker.awaitParked(2);
            ticker.advance(Duration.ofSeconds(1));
            assertThat(Reports.until(simulator, r -> r.toServer().underWay() == 0)
                            .toServer())
                    .isEqualTo(new TcpReport.Bytes(3, 0, 3, 0, 0));
        }
    }

    @Test
    void theOldestBlackholedMakesRoom() throws IOException {
        try (TcpSimulator simulator = plan().killIdle(IDLE, IdleKill.BLACKHOLE)
                        .maxConnections(2)
                        .start();
                Ends first = server.connect(simulator);
                Ends second = server.connect(simulator)) {
            ticker.awaitParked(1);
            ticker.advance(Duration.ofSeconds(4));
            send(second.client, "a");
            assertThat(receive(second.server, 1)).isEqualTo("a");
            ticker.awaitParked(1);
            ticker.advance(Duration.ofSeconds(1));
            Reports.until(simulator, r -> r.connections().silent() == 1);
            ticker.awaitParked(1);
            ticker.advance(Duration.ofSeconds(4));
            Reports.until(simulator, r -> r.connections().silent() == 2);

            try (Ends third = server.connect(simulator)) {
                assertThat(told(first.client)).isEqualTo("fin");
                send(third.client, "b");
                assertThat(receive(third.server, 1)).isEqualTo("b");
                assertThat(toldInAMoment(second.client)).isEqualTo("nothing");
                assertThat(simulator.report().connections().silent()).isEqualTo(1);
            }
        }
    }

    @Test
    void closesAllThatIsOpenWhenAWindowOpensAndNothingLater() throws IOException {
        try (TcpSimulator simulator =
                        plan().close(TENTH, Closing.FIN, Closing.RST).start();
                Ends first = server.connect(simulator)) {
            ticker.awaitParked(1);
            ticker.advance(Duration.ofSeconds(10).minusNanos(1));
            assertThat(toldInAMoment(first.client)).isEqualTo("nothing");
            ticker.advance(NANO);
            assertThat(told(first.client)).isEqualTo("fin");
            assertThat(told(first.server)).isEqualTo("fin");

            ticker.awaitParked(1);
            try (Ends later = server.connect(simulator)) {
                ticker.advance(Duration.ofMillis(500));
                send(later.client, "a");
                assertThat(receive(later.server, 1)).isEqualTo("a");
                ticker.advance(Duration.ofMillis(500));
                ticker.awaitParked(1);
                ticker.advance(Duration.ofSeconds(9));
                assertThat(told(later.client)).isEqualTo("rst");
                assertThat(told(later.server)).isEqualTo("rst");
            }
            assertThat(Reports.until(simulator, r -> r.connections().open() == 0)
                            .connections()
                            .closedByFault())
                    .containsEntry(Closing.FIN, 1L)
                    .containsEntry(Closing.RST, 1L);
        }
    }

    @Test
    void beginsItsWindowsAnew() throws IOException {
        try (TcpSimulator simulator = plan().close(Closing.FIN, TENTH).start();
                Ends ends = server.connect(simulator)) {
            ticker.awaitParked(1);
            ticker.advance(Duration.ofSeconds(5));
            simulator.begin();
            ticker.advance(Duration.ofSeconds(9));
            assertThat(toldInAMoment(ends.client)).isEqualTo("nothing");
            ticker.advance(Duration.ofSeconds(1));
            assertThat(told(ends.client)).isEqualTo("fin");
            assertThat(simulator.faults(Duration.ofSeconds(15)))
                    .singleElement()
                    .satisfies(fault -> assertThat(fault.kind()).isEqualTo("fin"));
        }
    }

    @Test
    void cutsInTheMiddleOfBytesWhileAWindowIsOpen() throws IOException {
        try (TcpSimulator simulator = plan().close(Closing.CUT, TENTH).start();
                Ends request = server.connect(simulator);
                Ends answer = server.connect(simulator);
                Ends quiet = server.connect(simulator)) {
            ticker.advance(Duration.ofSeconds(10));
            send(request.client, "0123456789");
            assertThat(receive(request.server, 10)).as("and then a FIN").isEqualTo("01234");
            assertThat(told(request.client)).isEqualTo("fin");
            send(answer.server, "0123456789");
            assertThat(receive(answer.client, 10)).isEqualTo("01234");

            ticker.advance(Duration.ofSeconds(1));
            send(quiet.client, "0123456789");
            assertThat(receive(quiet.server, 10)).isEqualTo("0123456789");
            TcpReport report = Reports.until(simulator, r -> r.connections().open() == 1);
            assertThat(report.connections().closedByFault()).containsEntry(Closing.CUT, 2L);
            assertThat(report.toClient()).isEqualTo(new TcpReport.Bytes(10, 5, 0, 5, 0));
        }
    }

    @Test
    void cutsWhatIsUnderWayAfterItsDelay() throws IOException {
        try (TcpSimulator simulator = plan().delay(new Delay.Constant(Duration.ofSeconds(3)))
                        .close(Closing.CUT, TENTH)
                        .start();
                Ends ends = server.connect(simulator)) {
            ticker.advance(Duration.ofSeconds(10));
            send(ends.client, "0123456789");
            Reports.until(simulator, r -> r.toServer().lost() == 5);
            assertThat(toldInAMoment(ends.server)).isEqualTo("nothing");
            ticker.advance(Duration.ofSeconds(3));
            assertThat(receive(ends.server, 10)).isEqualTo("01234");
        }
    }

    @Test
    void killsByTheRealClockToo() throws IOException {
        long begin = System.nanoTime();
        try (TcpSimulator simulator = plan().ticker(Ticker.SYSTEM)
                        .killIdle(Duration.ofMillis(50), IdleKill.RST)
                        .start();
                Ends ends = server.connect(simulator)) {
            assertThat(told(ends.client)).isEqualTo("rst");
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(50_000_000);
        }
    }

    @Test
    void refusesAWayToCloseThatTcpDoesNotHave() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan().close(TENTH, Closing.FIN, Closing.HEADER))
                .withMessageContaining("with fin, rst or cut");
    }

    @Test
    void saysWhatItDoes() throws IOException {
        try (TcpSimulator simulator = plan().delay(Delay.NONE, new Delay.Constant(Duration.ofMillis(20)))
                .bytesPerSecond(50_000)
                .killIdle(IDLE, IdleKill.BLACKHOLE)
                .close(Closing.CUT, TENTH)
                .start()) {
            assertThat(simulator.toString())
                    .isEqualTo("127.0.0.1:" + simulator.port() + " in front of localhost:" + server.port()
                            + ", delay 0 ns to the server, 20 ms to the client, 50,000 bytes/s each way,"
                            + " kill by blackhole after 5 s idle, close cut every 10 s for 1 s");
        }
    }

    private TcpSimulatorBuilder plan() {
        return TcpSimulator.to("localhost", server.port()).ticker(ticker);
    }
}
