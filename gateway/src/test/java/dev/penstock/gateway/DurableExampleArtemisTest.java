package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.file.FlowFile;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The durable example of the docs: from HTTP into the journal, then to the target. */
@Timeout(300)
class DurableExampleArtemisTest {
    private static final Path EXAMPLE = Path.of("../examples/durable.yaml");

    @TempDir
    Path folder;

    private Gateway start(String target) throws Exception {
        String yaml = Files.readString(EXAMPLE)
                .replace("port: 8080", "port: 0")
                .replace("port: 9090", "port: 0")
                .replace("attempts: 5, backoff: 1s", "attempts: 2, backoff: 10ms")
                .replace("${TARGET_URL:http://127.0.0.1:9000/v1/transactions}", target);
        return Running.gateway(folder, yaml);
    }

    private static String accept(Gateway gateway) throws Exception {
        HttpResponse<String> accepted = Running.post(Running.url(gateway));
        assertThat(accepted.statusCode()).isEqualTo(202);
        return accepted.headers().firstValue("Location").orElseThrow();
    }

    private static String status(Gateway gateway, String location) {
        try {
            return Running.get(
                            URI.create(Running.url(gateway)).resolve(location).toString())
                    .body();
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
    }

    @Test
    void statusIsPendingUntilTheTargetAnswersThenContainsTheReply() throws Exception {
        try (SlowTarget target = new SlowTarget();
                Gateway gateway = start(target.url())) {
            target.hold();
            String location = accept(gateway);
            Running.until(() -> target.received.get() == 1);
            assertThat(status(gateway, location)).contains("\"ending\":\"pending\"");
            target.release();
            Running.until(() -> !status(gateway, location).contains("pending"));
            assertThat(status(gateway, location))
                    .contains("\"ending\":\"answered\",\"reply\":{\"status\":200,")
                    .contains("\"body\":\"done\"");
            gateway.drain()
                    .values()
                    .forEach(account -> assertThat(account.isSettled()).isTrue());
        }
    }

    @Test
    void unreachableTargetLeadsToDeadLetterAndFailedStatus() throws Exception {
        try (Gateway gateway = start("http://127.0.0.1:1/t")) {
            String location = accept(gateway);
            Running.until(() -> status(gateway, location).contains("\"ending\":\"failed\",\"cause\":\"connect\""));
            Running.until(() ->
                    gateway.flows().getLast().snapshot().counters("messages").getOrDefault("dead_letters", 0L) == 1);
        }
    }

    @Test
    void sendsMessagesOfTheJournalAfterARestart() throws Exception {
        String location;
        try (SlowTarget stuck = new SlowTarget()) {
            stuck.hold();
            try (Gateway gateway = start(stuck.url())) {
                location = accept(gateway);
            }
        }
        try (SlowTarget target = new SlowTarget();
                Gateway gateway = start(target.url())) {
            Running.until(() -> status(gateway, location).contains("\"ending\":\"answered\""));
        }
    }

    @Test
    void planOfTheExampleShowsItsFlows() throws Exception {
        Path copy = Files.copy(EXAMPLE, folder.resolve("durable.yaml"));
        FlowFile file = FlowFile.read(copy);
        assertThat(file.warnings()).isEmpty();
        assertThat(GatewayPlan.of(file.config()).text())
                .contains("-> queue payments of embedded")
                .contains("queue payments of embedded -> http://127.0.0.1:9000/v1/transactions");
    }
}
