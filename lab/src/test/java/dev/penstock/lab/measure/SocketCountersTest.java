package dev.penstock.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SocketCountersTest {
    private static final String SNMP = """
            Ip: Forwarding DefaultTTL
            Ip: 2 64
            Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens CurrEstab InSegs OutSegs RetransSegs InErrs
            Tcp: 1 200 120000 -1 1241526 17 23110472 23102890 2625 0
            Udp: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors
            Udp: 856 0 0 858 30 0
            UdpLite: InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors
            UdpLite: 0 0 0 0 999 0
            """;
    private static final String SNMP6 = """
            Udp6InDatagrams                 \t5
            Udp6RcvbufErrors                \t12
            """;

    @TempDir
    private Path net;

    @Test
    void addsTheDropsOfBothProtocols() throws IOException {
        Files.writeString(net.resolve("snmp"), SNMP);
        Files.writeString(net.resolve("snmp6"), SNMP6);

        assertThat(SocketCounters.in(net)).isEqualTo(new SocketCounters(17, 2_625, 42));
    }

    @Test
    void oneProtocolIsEnough() throws IOException {
        Files.writeString(net.resolve("snmp"), SNMP);
        assertThat(SocketCounters.in(net)).isEqualTo(new SocketCounters(17, 2_625, 30));
        Files.delete(net.resolve("snmp"));
        Files.writeString(net.resolve("snmp6"), SNMP6);
        assertThat(SocketCounters.in(net)).isEqualTo(new SocketCounters(-1, -1, 12));
    }

    @Test
    void filesThatAreNotThereOrNotAsExpectedAreNoError() throws IOException {
        SocketCounters nothing = new SocketCounters(-1, -1, -1);
        assertThat(SocketCounters.in(net.resolve("none"))).isEqualTo(nothing);
        for (String text :
                new String[] {"", "Tcp:", "Tcp: CurrEstab\nTcp:", "Tcp: CurrEstab\nTcp: many\nUdp: 1\n", "\n\n"}) {
            Files.writeString(net.resolve("snmp"), text);
            Files.writeString(net.resolve("snmp6"), text);
            assertThat(SocketCounters.in(net)).isEqualTo(nothing);
        }
    }
}
