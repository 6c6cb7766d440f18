package dev.penstock.lab.simulate.tcp;

import static dev.penstock.lab.simulate.tcp.Ends.receive;
import static dev.penstock.lab.simulate.tcp.Ends.send;
import static dev.penstock.lab.simulate.tcp.Ends.told;
import static dev.penstock.lab.simulate.tcp.Ends.toldInAMoment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.lab.simulate.Closing;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real sockets and the real clock: the faults that a running simulator is given. */
@Timeout(180)
class TcpInjectedFaultsRealClockTest {
    private Ends.Server server;
    private TcpSimulator simulator;

    @BeforeEach
    void listen() throws IOException {
        server = new Ends.Server();
        simulator = TcpSimulator.to("localhost", server.port()).start();
    }

    @AfterEach
    void end() throws IOException {
        simulator.close();
        server.close();
    }

    @Test
    void refusesConnectionsAndKeepsThoseThatAreOpen() throws IOException {
        try (Ends open = server.connect(simulator)) {
            simulator.inject(new TcpFault.Refuse());
            assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> Ends.client(simulator));
            send(open.client, "still here");
            assertThat(receive(open.server, 10)).isEqualTo("still here");

            simulator.heal();
            server.connect(simulator).close();
        }
    }

    @Test
    void resetsOneConnectionAfterSoManyBytesOfOneWay() throws IOException {
        try (Ends ends = server.connect(simulator)) {
            send(ends.client, "before");
            assertThat(receive(ends.server, 6)).isEqualTo("before");
            simulator.inject(new TcpFault.Break(Way.TO_SERVER, 4, Closing.RST, 1));
            send(ends.server, "the other way does not count");
            assertThat(receive(ends.client, 28)).startsWith("the other way");
            send(ends.client, "four");
            assertThat(receive(ends.server, 4)).isEqualTo("four");
            send(ends.client, "more");
            assertThat(told(ends.client)).isEqualTo("rst");
            assertThat(told(ends.server)).isEqualTo("rst");

            try (Ends next = server.connect(simulator)) {
                send(next.client, "passes");
                assertThat(receive(next.server, 6)).isEqualTo("passes");
            }
        }
    }

    @Test
    void closesInTheMiddleOfAnAnswer() throws IOException {
        simulator.inject(new TcpFault.Break(Way.TO_CLIENT, 3, Closing.FIN, 1));
        try (Ends ends = server.connect(simulator)) {
            send(ends.server, "answer");
            assertThat(receive(ends.client, 6)).isEqualTo("ans");
            assertThat(told(ends.server)).isEqualTo("fin");
        }
    }

    @Test
    void halfClosesAndLetsTheOtherWayGoOn() throws IOException {
        simulator.inject(new TcpFault.HalfClose(Way.TO_CLIENT, 3, 1));
        try (Ends ends = server.connect(simulator)) {
            send(ends.server, "answer");
            assertThat(receive(ends.client, 6)).isEqualTo("ans");
            send(ends.client, "request");
            assertThat(receive(ends.server, 7)).isEqualTo("request");
            send(ends.server, "thrown away");
            ends.client.shutdownOutput();
            assertThat(told(ends.server)).isEqualTo("fin");
        }
    }

    @Test
    void aConnectionThatFellSilentStaysSilent() throws IOException {
        try (Ends silent = server.connect(simulator);
                Ends unused = server.connect(simulator)) {
            simulator.inject(new TcpFault.Blackhole());
            send(silent.client, "lost");
            assertThat(toldInAMoment(silent.server)).isEqualTo("nothing");
            simulator.heal();
            send(silent.client, "lost too");
            assertThat(toldInAMoment(silent.server)).isEqualTo("nothing");
            send(unused.client, "passes");
            assertThat(receive(unused.server, 6)).isEqualTo("passes");
        }
    }

    @Test
    void slowBytesAllArrive() throws IOException {
        simulator.inject(new TcpFault.Slow(200));
        try (Ends ends = server.connect(simulator)) {
            long begin = System.nanoTime();
            send(ends.client, "0123456789");
            assertThat(receive(ends.server, 10)).isEqualTo("0123456789");
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
        }
    }

    @Test
    void closesAllThatAreOpen() throws IOException {
        try (Ends ends = server.connect(simulator)) {
            simulator.closeAll(Closing.FIN);
            assertThat(told(ends.client)).isEqualTo("fin");
            assertThat(told(ends.server)).isEqualTo("fin");
        }
    }

    @Test
    void refusesFaultsThatMakeNoSense() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TcpFault.Break(Way.TO_SERVER, 0, Closing.HEADER, 1))
                .withMessageContaining("with fin or rst");
        assertThatIllegalArgumentException().isThrownBy(() -> new TcpFault.HalfClose(Way.TO_SERVER, -1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new TcpFault.Slow(0));
    }
}
