package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.penstock.Accounting;
import dev.penstock.gateway.file.FlowFile;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The UDP example of the docs with real datagrams. */
@Timeout(300)
class UdpGatewayRealClockTest {
    private static final Path EXAMPLE = Path.of("../examples/udp.yaml");
    private static final Pattern PORT = Pattern.compile("udp://127\\.0\\.0\\.1:(\\d+)");
    private static final int MANY = 500;

    @TempDir
    Path folder;

    private Gateway example(int ledger) throws Exception {
        return Running.gateway(
                folder,
                Files.readString(EXAMPLE)
                        .replaceAll("port: \\d+", "port: 0")
                        .replace("deadline: 2s", "deadline: 60s") // for a machine that has much else to do
                        .replace("${LEDGER_URL:udp://127.0.0.1:9002}", "udp://127.0.0.1:" + ledger));
    }

    private Gateway flow(String from, String... lines) throws Exception {
        return Running.gateway(
                folder,
                "admin: { port: 0 }\nflows:\n  a:\n    from: { udp: { port: 0" + from + " } }\n    "
                        + String.join("\n    ", lines) + "\n");
    }

    /** A client that sends datagrams and waits for answers. */
    private static final class Client implements AutoCloseable {
        private final DatagramSocket socket;
        private final InetSocketAddress to;

        Client(String from) throws Exception {
            this(from, loopback());
        }

        Client(String from, InetAddress own) throws Exception {
            socket = new DatagramSocket(new InetSocketAddress(own, 0));
            Matcher port = PORT.matcher(from);
            assertThat(port.matches()).as(from).isTrue();
            to = new InetSocketAddress(loopback(), Integer.parseInt(port.group(1)));
            socket.setSoTimeout(60_000);
        }

        void send(String text) throws Exception {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            socket.send(new DatagramPacket(bytes, bytes.length, to));
        }

        String receive() throws Exception {
            DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
            socket.receive(packet);
            return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8);
        }

        String ask(String text) throws Exception {
            send(text);
            return receive();
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    /** A ledger that answers each datagram in capitals, and counts them. */
    private static final class Ledger implements AutoCloseable {
        final AtomicInteger received = new AtomicInteger();
        private final DatagramSocket socket = new DatagramSocket(new InetSocketAddress(loopback(), 0));

        Ledger(int losing) throws Exception {
            Thread.ofPlatform().daemon().start(() -> run(losing));
        }

        int port() {
            return socket.getLocalPort();
        }

        private void run(int losing) {
            DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
            try {
                while (true) {
                    packet.setLength(65_536);
                    socket.receive(packet);
                    if (received.incrementAndGet() > losing) {
                        byte[] answer = Arrays.copyOf(packet.getData(), packet.getLength());
                        answer[answer.length - 1] = 'A';
                        socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
                    }
                }
            } catch (IOException closed) {
                socket.close();
            }
        }

        @Override
        public void close() {
            socket.close();
        }
    }

    private static InetAddress loopback() {
        return InetAddress.ofLiteral("127.0.0.1");
    }

    private static String page(Gateway gateway, String path) throws Exception {
        URI admin = Objects.requireNonNull(gateway.adminAddress());
        return Running.get(admin.resolve(path).toString()).body();
    }

    private static long lost(Gateway gateway, String... places) {
        return sum(gateway.flows().getFirst().snapshot().counters("lost"), places);
    }

    private static long sum(Map<String, Long> counts, String... names) {
        return Arrays.stream(names)
                .mapToLong(name -> Objects.requireNonNull(counts.get(name)))
                .sum();
    }

    /** Every received datagram was answered, needed no answer, is waiting, or was lost after the socket. */
    private static void assertAddsUp(Gateway gateway, int flow) {
        Map<String, Long> counts = gateway.flows().get(flow).snapshot().counters("datagrams");
        Map<String, Long> lost = gateway.flows().get(flow).snapshot().counters("lost");
        long ended = sum(counts, "answered", "unanswered", "waiting")
                + sum(lost, "own", "peer", "truncated", "ring", "handler", "send");
        assertThat(sum(counts, "received")).isEqualTo(ended);
        assertThat(gateway.flows().get(flow).snapshot().account().isBalanced()).isTrue();
    }

    @Test
    void exampleReplacesAndItsAccountingIsBalanced() throws Exception {
        try (Gateway gateway = example(9);
                Client client = new Client(gateway.flows().getFirst().snapshot().from())) {
            for (int i = 0; i < MANY; i++) {
                assertThat(client.ask("order " + i + " PENDING")).isEqualTo("order " + i + " ACCEPTED");
            }
            Running.until(() -> gateway.flows().getFirst().snapshot().account().answered() == MANY);
            assertAddsUp(gateway, 0);
            assertThat(page(gateway, "/flows"))
                    .contains(
                            "\"offered\":500,\"answered\":500,\"rejected\":0,\"failed\":0,\"unknown\":0,\"in_flight\":0,\"holds\":true")
                    .contains("\"received\":500")
                    .contains("\"truncated\":0,\"ring\":0,\"handler\":0,\"send\":0");
            assertThat(page(gateway, "/metrics"))
                    .contains("penstock_udp_drops_total{flow=\"orders\",where=\"socket\"} 0.0")
                    .contains("penstock_udp_datagrams_total{flow=\"orders\",result=\"answered\"} 500.0")
                    .contains(
                            "penstock_flow_transactions_total{cause=\"none\",ending=\"answered\",flow=\"orders\"} 500.0");
            assertThat(page(gateway, "/settings")).contains("udp.inline").contains("udp.buffer");
            Accounting account = Objects.requireNonNull(gateway.drain().get("orders"));
            assertThat(account.isSettled()).isTrue();
            assertThat(account.answered()).isEqualTo(MANY);
        }
    }

    @Test
    void exampleAnswersARepeatFromTheStore() throws Exception {
        try (Ledger ledger = new Ledger(1);
                Gateway gateway = example(ledger.port());
                Client client = new Client(gateway.flows().getLast().snapshot().from())) {
            String order = "order-0000000001 pay 7 ?";
            assertThat(client.ask(order)).isEqualTo("order-0000000001 pay 7 A");
            assertThat(client.ask(order)).isEqualTo("order-0000000001 pay 7 A");
            var flow = gateway.flows().getLast();
            Running.until(() -> flow.snapshot().counters("datagrams").getOrDefault("answered", 0L) == 2);
            assertThat(flow.snapshot().counters("datagrams")).containsEntry("target_sent", 1L);
            // A slow ledger gets more than one retry.
            long repeated =
                    Objects.requireNonNull(flow.snapshot().counters("datagrams").get("target_repeated"));
            assertThat(repeated).isPositive();
            Running.until(() -> ledger.received.get() == 1 + repeated);
            assertAddsUp(gateway, 1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "', allow: [192.0.2.0/24, \"fd00::/8\"]', peer, peer",
        "', allow: 127.0.0.0/8, rate: 0.1/s', '', peer",
        "', amplification: 1.0', '', handler",
        "', amplification: 2', '', ''",
    })
    void whatASenderMayNotSendOrCauseIsDropped(String from, String first, String second) throws Exception {
        try (Gateway gateway = flow(from, "to: { replace: { find: \"?\", with: \"!!\" } }");
                Client client = new Client(gateway.flows().getFirst().snapshot().from())) {
            client.send("1");
            client.send("2?");
            long dropped =
                    Stream.of(first, second).filter(place -> !place.isEmpty()).count();
            var flow = gateway.flows().getFirst();
            Running.until(() -> flow.snapshot().counters("datagrams").getOrDefault("answered", 0L) == 2 - dropped
                    && (dropped == 0 || lost(gateway, second) == dropped));
            assertAddsUp(gateway, 0);
            if (first.isEmpty()) {
                assertThat(client.receive()).isEqualTo("1");
            }
            if (dropped == 0) {
                assertThat(client.receive()).isEqualTo("2!!");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"'', 2", "', per: all', 1"})
    void anIdIsThatOfItsSenderUnlessItIsThatOfAll(String per, int requests) throws Exception {
        try (Ledger ledger = new Ledger(0);
                Gateway gateway = flow(
                        ", id: { at: 0, length: 4" + per + " }",
                        "to: { udp: { url: \"udp://127.0.0.1:" + ledger.port() + "\", id: { at: 0, length: 4 } } }",
                        "dedupe: id");
                Client one = new Client(Running.url(gateway));
                Client other = new Client(Running.url(gateway), InetAddress.ofLiteral("127.0.0.2"))) {
            assertThat(one.ask("id-1 pay x")).isEqualTo("id-1 pay A");
            assertThat(other.ask("id-1 pay x")).isEqualTo("id-1 pay A");
            assertThat(one.ask("id-1 pay x")).isEqualTo("id-1 pay A");
            assertThat(ledger.received).hasValue(requests);
        }
    }

    @Test
    void planOfTheExampleShowsItsFlows() throws Exception {
        FlowFile file = FlowFile.read(Files.copy(EXAMPLE, folder.resolve("udp.yaml")));
        assertThat(file.warnings()).isEmpty();
        assertThat(GatewayPlan.of(file.config()).text())
                .contains("udp://127.0.0.1:9000 -> replace")
                .contains("inline (on the reader thread) > target")
                .contains("udp://127.0.0.1:9001 -> udp://127.0.0.1:9002")
                .contains("udp.buffer")
                .contains("holds ");
    }

    @Test
    void countsEachDatagramLostInATooSmallSocketBuffer() throws Exception {
        try (Gateway gateway = flow(", burst: 1", "to: { replace: { find: \"a\", with: \"b\" } }", "limit: auto");
                Client client = new Client(gateway.flows().getFirst().snapshot().from())) {
            String large = "a".repeat(1_000);
            int sent = 0;
            while (lost(gateway, "socket") == 0 && sent < 100_000) {
                client.send(large);
                sent++;
            }
            long all = sent;
            Running.until(() ->
                    gateway.flows().getFirst().snapshot().counters("datagrams").getOrDefault("received", 0L)
                                    + lost(gateway, "socket")
                            == all);
            Running.until(() ->
                    gateway.flows().getFirst().snapshot().counters("datagrams").getOrDefault("waiting", 1L) == 0);
            assertThat(lost(gateway, "socket")).isPositive();
            assertAddsUp(gateway, 0);
            assertThat(page(gateway, "/metrics"))
                    .contains("penstock_udp_drops_total{flow=\"a\",where=\"socket\"} "
                            + (double) lost(gateway, "socket"));
        }
    }

    @Test
    void countsTruncatedDatagramAndDoesNotAnswerIt() throws Exception {
        try (Gateway gateway = flow(", max_size: 64B", "to: { replace: { find: \"a\", with: \"bbbb\" } }");
                Client client = new Client(gateway.flows().getFirst().snapshot().from())) {
            client.send("x".repeat(100));
            client.send("a".repeat(64));
            assertThat(client.ask("a")).isEqualTo("bbbb");
            Running.until(() -> lost(gateway, "truncated", "handler", "send") == 2);
            Running.until(() ->
                    gateway.flows().getFirst().snapshot().counters("datagrams").getOrDefault("waiting", 1L) == 0);
            assertThat(lost(gateway, "truncated")).isEqualTo(1);
            assertAddsUp(gateway, 0);
            Accounting account = Objects.requireNonNull(gateway.drain().get("a"));
            assertThat(account.sentence()).startsWith("offered 3 = answered 1 + rejected 0 + failed 2 + unknown 0");
            assertThat(account.isSettled()).isTrue();
        }
    }

    @Test
    void handlerCountsDatagramsThatEndWithoutAnswer() throws Exception {
        try (Gateway gateway =
                        flow("", "to: { http: { url: \"http://127.0.0.1:1/t\" } }", "deadline: 60s", "breaker: off");
                Client client = new Client(gateway.flows().getFirst().snapshot().from())) {
            client.send("x");
            Running.until(() -> lost(gateway, "handler") == 1);
            assertThat(gateway.flows().getFirst().snapshot().account().failed()).isEqualTo(1);
            assertAddsUp(gateway, 0);
        }
    }

    @Test
    void replaceWorksBehindHttpToo() throws Exception {
        try (Gateway gateway = Running.gateway(folder, """
                flows:
                  a:
                    from: { http: { port: 0, path: /a } }
                    to: { replace: { find: "straße", with: "street" } }
                """)) {
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create(gateway.flows().getFirst().snapshot().from()))
                    .header("Content-Type", "text/plain; charset=utf-8")
                    .POST(HttpRequest.BodyPublishers.ofString("7 straße, straße"))
                    .build();
            HttpResponse<String> answer = Running.CLIENT.send(request, BodyHandlers.ofString());
            assertThat(answer.body()).isEqualTo("7 street, street");
            assertThat(answer.headers().firstValue("Content-Type")).contains("text/plain; charset=utf-8");
            assertThat(gateway.flows().getFirst().snapshot().account().answered())
                    .isEqualTo(1);
        }
    }

    @Test
    void reportsPortInUseInOneLine() throws Exception {
        try (DatagramSocket taken = new DatagramSocket(new InetSocketAddress(loopback(), 0))) {
            Path file = Files.writeString(
                    folder.resolve("f.yaml"),
                    "flows:\n  a:\n    from: { udp: { port: " + taken.getLocalPort()
                            + " } }\n    to: { replace: { find: \"a\", with: \"b\" } }\n");
            assertThat(catchThrowable(
                            () -> Gateway.start(FlowFile.read(file).config()).close()))
                    .hasMessage("flow a: udp port " + taken.getLocalPort()
                            + " is in use; choose another port, or stop the process that listens there");
        }
    }
}
