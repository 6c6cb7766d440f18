package dev.penstock.lab.simulate.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Waits until a simulator reports the expected counts; every intermediate report must satisfy the invariants. */
final class Reports {
    private Reports() {}

    static TcpReport until(TcpSimulator simulator, Predicate<TcpReport> wanted) {
        long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            TcpReport report = simulator.report();
            lawsHold(report);
            if (wanted.test(report)) {
                return report;
            }
            assertThat(System.nanoTime() - giveUp).as("waited 60 s: " + report).isNegative();
            LockSupport.parkNanos(200_000);
        }
    }

    private static void lawsHold(TcpReport report) {
        TcpReport.Connections c = report.connections();
        assertThat(c.open()
                        + c.killed()
                        + c.closedByFaults()
                        + c.closedByPeers()
                        + c.unreachable()
                        + c.closedOtherwise())
                .isEqualTo(c.accepted());
        assertThat(c.open()).isNotNegative();
        assertThat(c.silent()).isBetween(0L, c.killedIdle().get(IdleKill.BLACKHOLE));
        lawHolds(report.toServer());
        lawHolds(report.toClient());
    }

    private static void lawHolds(TcpReport.Bytes b) {
        assertThat(b.passed() + b.blackholed() + b.lost() + b.underWay()).isEqualTo(b.received());
        assertThat(b.underWay()).isNotNegative();
    }
}
