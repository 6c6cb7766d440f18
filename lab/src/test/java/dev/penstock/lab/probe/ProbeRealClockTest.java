package dev.penstock.lab.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.lab.measure.StealClock;
import dev.penstock.lab.simulate.Delay;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.lab.simulate.tcp.IdleKill;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProbeRealClockTest {
    /** On a host that takes more than that, what answers slowly is the machine; where a knee lies is asserted in virtual time too. */
    private static final double MOST_STOLEN_PERCENT = 5;

    @Test
    void findsWhatASimulatorHides() throws Exception {
        try (HttpSimulator server = HttpSimulator.builder()
                        .delay(new Delay.Constant(Duration.ofMillis(20)))
                        .workers(6, 1_000)
                        .start();
                TcpSimulator way = TcpSimulator.to("127.0.0.1", server.port())
                        .killIdle(Duration.ofMillis(1_500), IdleKill.FIN)
                        .start();
                SocketPeer peer = new SocketPeer(server.port(), way.port())) {
            StealClock before = StealClock.now();
            ProbeFindings findings = Probe.of(peer)
                    .budget(new ProbeBudget(Duration.ofSeconds(7), 100_000, 60))
                    .run();

            KneeFinding knee = Objects.requireNonNull(findings.knee());
            IdleFinding idle = Objects.requireNonNull(findings.idle());
            assertThat(new ProbeSentences(findings).lines()).isNotEmpty();
            if (StealClock.now().percentSince(before).orElse(0) < MOST_STOLEN_PERCENT) {
                assertThat(knee.reached()).as(knee.why()).isTrue();
                assertThat(knee.knee()).as(knee.why()).isBetween(4.5, 8.5); // a loaded machine makes the way longer
            }
            assertThat(idle.kind()).as(idle.why()).isEqualTo(KillKind.FIN);
            assertThat(idle.killAfter()).isBetween(Duration.ofMillis(1_300), Duration.ofMillis(3_000));
            assertThat(findings.skipped()).singleElement().asString().contains("batch");
        }
    }

    @Test
    void goesNoFurtherWhenCallsAreNotAnswered() throws Exception {
        try (HttpSimulator server = HttpSimulator.builder().errors(1, 500).start();
                SocketPeer peer = new SocketPeer(server.port(), server.port())) {
            Probe probe = Probe.of(peer).budget(new ProbeBudget(Duration.ofSeconds(5), 20, 10));
            assertThatThrownBy(probe::run).isInstanceOf(IOException.class).hasMessageContaining("one by one");
            assertThat(server.report().requests().received()).isLessThan(30);
        }
    }
}
