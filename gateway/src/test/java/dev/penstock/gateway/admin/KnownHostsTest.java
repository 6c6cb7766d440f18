package dev.penstock.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnownHostsTest {
    private static KnownHosts hosts(String host, String address, String... listed) {
        return new KnownHosts(host, InetAddress.ofLiteral(address), List.of(listed));
    }

    @ParameterizedTest
    @CsvSource({
        "localhost,        true",
        "LocalHost:9090,   true",
        "127.0.0.1:9090,   true",
        "127.9.9.9,        true",
        "[::1]:9090,       true",
        "[0:0:0:0:0:0:0:1],true",
        "gateway.internal, true",
        "Gateway.Internal:9090, true",
        "10.0.0.5:9090,    true",
        "panel.example,    true",
        "192.0.2.9,        true",
        "[2001:db8:0::7]:1,true",
        "10.0.0.6,         false",
        "evil.example,     false",
        "evil.example:9090,false",
        "127.0.0.1.evil.example, false",
        "localhost.evil.example, false",
        "gateway.internal.evil.example, false",
        "'',               false",
        ":9090,            false",
        "[::2],            false",
        "evil.example:80:9090, false",
    })
    void thisMachineTheBoundHostAndThoseListedAreKnown(String field, boolean known) {
        KnownHosts hosts = hosts("gateway.internal", "10.0.0.5", "panel.example", "192.0.2.9", "2001:db8::7");
        assertThat(hosts.isKnown(field)).isEqualTo(known);
    }

    @Test
    void onAllAddressesEveryAddressIsKnownButNoName() {
        for (String any : new String[] {"0.0.0.0", "::"}) {
            KnownHosts hosts = hosts(any, any);
            assertThat(hosts.isKnown("10.0.0.6:9090")).isTrue();
            assertThat(hosts.isKnown("[2001:db8::7]:9090")).isTrue();
            assertThat(hosts.isKnown("evil.example")).isFalse();
        }
    }

    @Test
    void aRequestOfHttp10WithoutHostIsNotFromABrowser() {
        assertThat(hosts("127.0.0.1", "127.0.0.1").isKnown(null)).isTrue();
    }
}
