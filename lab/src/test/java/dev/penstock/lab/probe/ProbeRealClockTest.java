package dev.penstock.lab.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Ticker;
import dev.penstock.kit.FullRun;
import dev.penstock.lab.probe.IdleConnection.KillKind;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class ProbeRealClockTest {
    private static final boolean FULL = FullRun.ON;

    private static final Duration KILL = Duration.ofMillis(FULL ? 1_500 : 500);

    @Test
    @Tag("full")
    void findsWhatASimulatorHides() throws Exception {
        try (HttpSimulator server = HttpSimulator.builder()
                        .delay(new Delay.Constant(Duration.ofMillis(20)))
                        .workers(6, 1_000)
                        .start();
                TcpSimulator way = TcpSimulator.to("127.0.0.1", server.port())
                        .killIdle(KILL, IdleKill.FIN)
                        .start();
                SocketPeer peer = new SocketPeer(server.port(), way.port())) {
            ProbeFindings findings = Probe.of(peer)
                    .budget(new Probe.Budget(Duration.ofSeconds(FULL ? 7 : 4), 100_000, 60))
                    .run();

            KneeFinding knee = findings.knee();
            IdleFinding idle = findings.idle();
            assertThat(new ProbeSentences(findings).lines()).isNotEmpty();
            // On a machine that is busy the time may be too short for either, and then that is told.
            assertThat(findings.skipped())
                    .hasSize(1 + (knee == null ? 1 : 0) + (idle == null ? 1 : 0))
                    .anyMatch(line -> line.contains("batch"));
            if (knee != null) {
                // Where it lies on a busy machine is not known; that it is found where it is, is asserted in virtual
                // time.
                assertThat(knee.knee()).as(knee.why()).isBetween(1.0, 60.0);
            }
            if (idle != null) {
                assertThat(idle.kind()).as(idle.why()).isEqualTo(KillKind.FIN);
                // A busy machine reads an answer late, so that the idle time it knows is shorter than the real one, by
                // any amount: how exact it is is asserted in virtual time.
                assertThat(idle.killAfter()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(60));
            }
        }
    }

    @Test
    void goesNoFurtherWhenCallsAreNotAnswered() throws Exception {
        try (HttpSimulator server = HttpSimulator.builder().errors(1, 500).start();
                SocketPeer peer = new SocketPeer(server.port(), server.port())) {
            Probe probe = Probe.of(peer).budget(new Probe.Budget(Duration.ofSeconds(5), 20, 10));
            assertThatThrownBy(probe::run).isInstanceOf(IOException.class).hasMessageContaining("sequential calls");
            assertThat(server.report().requests().received()).isLessThan(30);
        }
    }

    @Test
    void aGeneratorThatStarvesWhileLevelsAreMeasuredIsInvalid() throws Exception {
        try (HttpSimulator server = HttpSimulator.builder()
                        .delay(new Delay.Constant(Duration.ofMillis(10)))
                        .start();
                SocketPeer peer = new SocketPeer(server.port(), server.port())) {
            Starving ticker = new Starving();
            ProbeFindings findings = Probe.of(peer)
                    .budget(new Probe.Budget(Duration.ofSeconds(3), 100_000, 6))
                    .ticker(ticker)
                    .watch(line -> ticker.starves = line.contains("concurrent calls"))
                    .run();

            assertThat(findings.validity().whyInvalid())
                    .contains("levels of concurrency this machine started calls late", "probe from a machine");
            assertThat(new ProbeSentences(findings).lines().getFirst()).startsWith("INVALID: ");
        }
    }

    /** A clock of a machine that gives a thread its turn only after a while, whenever it looks at the time. */
    private static final class Starving implements Ticker {
        private static final long LATE = 5_000_000;

        private volatile boolean starves;

        @Override
        public long nanos() {
            if (starves && Thread.currentThread().isVirtual()) {
                long until = System.nanoTime() + LATE;
                while (System.nanoTime() < until) {
                    LockSupport.parkNanos(LATE);
                }
            }
            return System.nanoTime();
        }

        @Override
        public void parkUntil(long nanos) {
            Ticker.SYSTEM.parkUntil(nanos);
        }
    }
}
