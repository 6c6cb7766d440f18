package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.text.Cidr;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrustedProxiesTest {
    private final TrustedProxies proxies = new TrustedProxies(List.of(Cidr.of("10.0.0.0/8"), Cidr.of("fd00::/8")));

    private static InetAddress address(String text) {
        return InetAddress.ofLiteral(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1 | 198.51.100.7 | 192.0.2.1",
                "10.0.0.1 | 198.51.100.7 | 198.51.100.7",
                "fd00::1 | 2001:db8::7 | 2001:db8::7",
                "10.0.0.1 | 203.0.113.9, 198.51.100.7 | 198.51.100.7",
                "10.0.0.1 | 198.51.100.7, 10.9.9.9, fd00::2 | 198.51.100.7",
                "10.0.0.1 | 10.0.0.3, 10.0.0.2 | 10.0.0.3",
                "10.0.0.1 | 198.51.100.7:4711 | 198.51.100.7",
                "10.0.0.1 | [2001:db8::7]:4711 | 2001:db8::7",
                "10.0.0.1 | 198.51.100.7, unknown, 10.0.0.2 | 10.0.0.2",
                "10.0.0.1 | 198.51.100.7, _hidden | 10.0.0.1",
                "10.0.0.1 | 198.51.100.7, 1 | 10.0.0.1",
                "10.0.0.1 | '' | 10.0.0.1",
            })
    void theClientIsTheLastThatIsNoTrustedProxy(String peer, String hops, String client) {
        Headers headers = Headers.none().and("X-Forwarded-For", hops);
        assertThat(proxies.client(headers, address(peer))).isEqualTo(address(client));
        assertThat(proxies.client(Headers.none(), address(peer))).isEqualTo(address(peer));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "X-Forwarded-For | 192.0.2.1",
                "x-real-ip | 192.0.2.1",
                "X-Forwarded-Proto | http",
                "X-Forwarded-Host | shop.example",
                "Forwarded | for=192.0.2.1;proto=http",
                "X-Forwarded-User | ",
                "X_Forwarded_For | ",
                "X-Real_IP | ",
            })
    void whatAnyoneClaimsIsReplaced(String name, String known) {
        Headers headers =
                Headers.none().and("Host", "shop.example").and(name, "claimed").and(name, "again");
        InetAddress peer = address("192.0.2.1");
        assertThat(headers).filteredOn(field -> proxies.replaces(field, peer)).hasSize(2);
        assertThat(proxies.replacements(headers, new RequestGate.Peer(peer, false, List.of())))
                .containsExactlyElementsOf(known == null ? List.of() : List.of(new Header(name, known)));
    }

    @Test
    void aTrustedProxyIsAddedAndItsOtherFieldsPass() {
        Headers headers = Headers.none()
                .and("X-Forwarded-For", "198.51.100.7")
                .and("X-Forwarded-Proto", "https")
                .and("X_Forwarded_Proto", "https")
                .and("Forwarded", "for=198.51.100.7");
        InetAddress peer = address("fd00::1");
        assertThat(headers).filteredOn(field -> proxies.replaces(field, peer)).hasSize(2);
        assertThat(proxies.replacements(headers, new RequestGate.Peer(peer, false, List.of())))
                .containsExactly(new Header("X-Forwarded-For", "198.51.100.7, fd00:0:0:0:0:0:0:1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Request-Id", "From", "X", "F", "X-Forwarded", "X-Real-IPs"})
    void otherFieldsPass(String name) {
        assertThat(TrustedProxies.isForwarding(new Header(name, "1"))).isFalse();
    }

    @Test
    void aFlowSeesTheClientOnlyThroughATrustedProxy() throws Exception {
        List<HttpCall> calls = new CopyOnWriteArrayList<>();
        List<InetAddress> clients = new CopyOnWriteArrayList<>();
        for (String trusted : List.of("10.0.0.0/8", "127.0.0.0/8")) {
            HttpSource source = HttpSource.on(0)
                    .trustedProxies(List.of(trusted))
                    .route(
                            "/pay",
                            "payments",
                            (headers, peer) -> {
                                clients.add(peer.address());
                                return new RequestGate.Admitted(headers, call -> {
                                    calls.add(call);
                                    return HttpAnswer.of(200, "");
                                });
                            },
                            100,
                            List.of(),
                            List.of())
                    .build();
            source.start();
            try (RawClient client = new RawClient(source.port())) {
                client.send("GET /pay HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n");
                assertThat(client.answer()).startsWith("HTTP/1.1 200 ");
            } finally {
                source.close();
            }
        }
        assertThat(clients).containsExactly(address("127.0.0.1"), address("192.0.2.1"));
        assertThat(calls)
                .extracting(call -> call.headers().all("X-Forwarded-For"))
                .containsExactly(List.of("127.0.0.1"), List.of("192.0.2.1, 127.0.0.1"));
    }
}
