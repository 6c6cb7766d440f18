package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.broker.EmbeddedBroker;
import dev.penstock.lab.simulate.Closing;
import dev.penstock.lab.simulate.tcp.TcpFault;
import dev.penstock.lab.simulate.tcp.TcpSimulator;
import dev.penstock.lab.simulate.tcp.Way;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.DriverManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From one queue to the next, at a real broker: a transaction keeps its id. */
@Timeout(300)
class QueueHopArtemisTest {
    private static final int MESSAGES = 3;
    private static final String DIRECT = "{ jms: { url: \"URL\", queue: second } }";
    private static final String CHAINED = "{ flow: toSecond }";
    private static final String TO_SECOND = """
              toSecond:
                to: { jms: { url: "URL", queue: second } }
            """;

    @TempDir
    Path folder;

    private EmbeddedBroker broker;
    private TcpSimulator way;

    @BeforeEach
    void open() throws IOException {
        broker = EmbeddedBroker.on(folder.resolve("broker"), "127.0.0.1", 0);
        way = TcpSimulator.to("127.0.0.1", URI.create(broker.url()).getPort()).start();
    }

    @AfterEach
    void close() {
        way.close();
        broker.close();
    }

    /** From HTTP into the queue {@code first}, and from there into {@code second} of a URL. */
    private String flows(String hopTo, String url, String more) {
        return """
                shutdown: { drain: 0s }
                flows:
                  accept:
                    from: { http: { port: 0, path: /orders } }
                    to: { flow: toFirst }
                  hop:
                    from: { jms: { url: "BROKER", queue: first, key: JMSMessageID, redeliver: { attempts: 200, backoff: 1ms } } }
                    to: %s
                  toFirst:
                    to: { jms: { url: "BROKER", queue: first } }
                %s""".formatted(hopTo, hopTo.equals(CHAINED) ? TO_SECOND : "")
                        .replace("BROKER", broker.url())
                        .replace("URL", url)
                + more;
    }

    private static long messages(Gateway gateway, String what) {
        return gateway.flows().get(1).snapshot().counters("messages").getOrDefault(what, 0L);
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, CHAINED})
    void lostAnswerOfTheBrokerDuplicatesNoMessage(String hopTo) throws Exception {
        String url = "tcp://127.0.0.1:" + way.port();
        try (Gateway gateway = Running.gateway(folder, flows(hopTo, url, ""));
                JmsTarget foreign =
                        JmsTarget.at(JmsBroker.at(broker.url())).queue("first").build()) {
            foreign.call(JmsMessage.text("opens the connection"));
            Running.until(() -> broker.count("second") == 1);
            for (int sent = 1; sent <= 2 * MESSAGES; sent++) {
                way.inject(new TcpFault.Break(Way.TO_CLIENT, 0, Closing.RST, 1));
                if (sent % 2 == 0) {
                    assertThat(Running.post(Running.url(gateway)).statusCode()).isEqualTo(202);
                } else {
                    foreign.call(JmsMessage.text("m" + sent));
                }
                int all = sent;
                Running.until(() -> messages(gateway, "acknowledged") == all + 1);
                assertThat(messages(gateway, "tried_again")).isGreaterThanOrEqualTo(all);
            }
        }
        assertThat(broker.count("second")).isEqualTo(1 + 2 * MESSAGES);
    }

    private String location(Gateway gateway) throws Exception {
        HttpResponse<String> accepted = Running.post(Running.url(gateway));
        assertThat(accepted.statusCode()).isEqualTo(202);
        String path = accepted.headers().firstValue("Location").orElseThrow();
        return URI.create(Running.url(gateway)).resolve(path).toString();
    }

    private static void untilStatus(String location, String text) {
        Running.until(() -> status(location).contains(text), () -> status(location));
    }

    private static String status(String location) {
        try {
            return Running.get(location).body();
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {DIRECT, CHAINED})
    void statusIsThatOfTheLastFlow(String hopTo) throws Exception {
        String last = """
                  process:
                    from: { jms: { url: "%s", queue: second, key: JMSMessageID } }
                    to: { http: { url: "%s" } }
                """;
        try (SlowTarget target = new SlowTarget()) {
            target.hold();
            String more = last.formatted(broker.url(), target.url());
            try (Gateway gateway = Running.gateway(folder, flows(hopTo, broker.url(), more))) {
                String location = location(gateway);
                Running.until(() -> target.received.get() == 1);
                assertThat(status(location)).contains("\"ending\":\"pending\"");
                target.release();
                untilStatus(location, "\"ending\":\"answered\",\"reply\":{\"status\":200,");
            }
        }
    }

    @Test
    void deadLetterOfTheHopEndsTheStatus() throws Exception {
        String away = flows(DIRECT, "tcp://127.0.0.1:1", "").replace("attempts: 200", "attempts: 3");
        try (Gateway gateway = Running.gateway(folder, away)) {
            untilStatus(location(gateway), "\"ending\":\"failed\",\"cause\":\"connect\"");
        }
    }

    @Test
    void rejectedTransactionOfAChainLeavesNoStatus() throws Exception {
        String away = flows(CHAINED, broker.url(), "")
                .replace(
                        "to: { jms: { url: \"" + broker.url() + "\", queue: first } }",
                        "to: { jms: { url: \"tcp://127.0.0.1:1\", queue: first } }");
        try (Gateway gateway = Running.gateway(folder, away)) {
            assertThat(Running.post(Running.url(gateway)).statusCode()).isEqualTo(502);
        }
        try (var keys = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("penstock-state.keys.db"));
                var rows = keys.createStatement()
                        .executeQuery("select count(*) from penstock_keys where id like 'status/%'")) {
            rows.next();
            assertThat(rows.getInt(1)).isZero();
        }
    }
}
