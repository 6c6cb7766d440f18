package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The admin pages while clients misbehave. */
@Timeout(120)
class AdminConnectionsRealClockTest extends GatewayFixture {
    private final List<Socket> clients = new ArrayList<>();

    @Override
    Gateway start() throws Exception {
        return Running.gateway(folder, target);
    }

    @AfterEach
    void closeClients() throws Exception {
        for (Socket client : clients) {
            client.close();
        }
    }

    private Socket sent(String text) throws IOException {
        int port = Objects.requireNonNull(gateway.adminAddress()).getPort();
        Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
        clients.add(client);
        client.setSoTimeout(60_000);
        client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return client;
    }

    @ParameterizedTest
    @CsvSource({"64, ''", "64, 'GET /health HTTP/1.1\r\nHo'", "500, 'GET /health HTTP/1.1\r\nHo'"})
    void answersWhileConnectionsAreHalfOpen(int count, String begun) throws Exception {
        for (int i = 0; i < count; i++) {
            sent(begun);
        }
        // In a crowd a head has a second, which a busy machine may need; a client that was answered once keeps its
        // connection.
        Running.until(() -> status() == 200);
        assertThat(status()).isEqualTo(200);
        assertThat(status()).isEqualTo(200);
    }

    private int status() {
        try {
            return Running.get(gateway.adminAddress() + "health").statusCode();
        } catch (IOException | InterruptedException broken) {
            throw new AssertionError(broken);
        }
    }

    @Test
    void answersWhileBodiesDoNotArrive() throws Exception {
        for (int i = 0; i < 500; i++) {
            sent("POST /settings/payments/limit HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 20\r\n\r\n{");
        }
        Running.until(() -> status() == 200);
    }

    @Test
    void answersBalancersOverHttp10() throws Exception {
        Socket client = sent("GET /ready HTTP/1.0\r\n\r\n");
        assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 200 ")
                .contains("\r\nConnection: close\r\n")
                .endsWith("{\"status\":\"ready\"}");
    }

    @Test
    void eventStreamNeedsHttp11() throws Exception {
        Socket client = sent("GET /events HTTP/1.0\r\n\r\n");
        assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                .startsWith("HTTP/1.1 505 ")
                .doesNotContain("chunked")
                .endsWith("/events needs HTTP/1.1: behind nginx, set proxy_http_version 1.1\n");
    }
}
