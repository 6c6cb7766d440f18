package dev.penstock.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.program.Programs;
import dev.penstock.kit.program.SuspendedProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a gateway in a process of its own reports of each failure in the table of docs/diagnose.md. */
@Tag("full")
@Tag("full-only")
@Timeout(300)
class PlantedFailuresRealClockTest {
    private static final int PAUSE_S = 3;

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    @SuppressWarnings("NullAway.Init") // by start
    private Process gateway;

    @SuppressWarnings("NullAway.Init") // by start
    private URI url;

    private String admin = "";

    private interface Plant {
        String in(PlantedFailures planted) throws Exception;
    }

    /** The failures: what the log, {@code /flows} and {@code find} say. */
    enum Failure {
        EXPIRED_CERTIFICATE(
                PlantedFailures::expiredCertificate, "TLS handshake with localhost:", "certificate expired"),
        WRONG_PASSWORD(
                PlantedFailures::wrongPassword,
                "cannot connect to jdbc:postgresql://127.0.0.1:",
                "password authentication failed",
                "; check user and password"),
        UNKNOWN_HOST(
                _ -> PlantedFailures.http("http://gateway.invalid/pay"),
                "unknown host gateway.invalid:80",
                "check the host in the url"),
        MISSING_TABLE(
                PlantedFailures::missingTable, "does not exist (SQLState 42P01)", "check the statement, the tables"),
        DEADLOCK(PlantedFailures::deadlock, "deadlock detected", "lock their rows in the same order"),
        BROKER_DISK_FULL(
                PlantedFailures::brokerDiskFull, "no confirmation from tcp://127.0.0.1:", "check its log, its disk"),
        BUSY(PlantedFailures::busy, "answered 100 % of recent calls with 5xx; the last one was 503") {
            @Override
            List<String> found() {
                return List.of("ended: answered with status 503", "23 bytes received");
            }
        },
        GARBLED_CHUNK(PlantedFailures::garbledChunk, "malformed answer from 127.0.0.1:", "(Bad chunk header: zz)"),
        RESET(PlantedFailures::reset, "closed the connection before the answer was complete", "check its log"),
        SLOW_DNS(PlantedFailures::slowDns, "DNS lookup timed out: no address for gateway.example:80", "check the DNS"),
        STARVED_POOL(planted -> planted.slow("pool: { max: 1 }", "limit: 10"), "rejected (") {
            @Override
            List<String> flows() {
                return List.of("limit 1 is the bottleneck", "connections of the target's pool; raise pool.max");
            }

            @Override
            List<String> found() {
                return List.of("waited for a permit", "ended: rejected");
            }
        },
        LONG_PAUSE(PlantedFailures::slow, "this process did not run for ", "its share of the CPU") {
            @Override
            List<String> flows() {
                return List.of();
            }

            @Override
            List<String> found() {
                return List.of();
            }
        },
        SHORT_DEADLINE(
                PlantedFailures::slow,
                "no complete answer from 127.0.0.1:",
                "when the deadline passed",
                "the Penstock-Deadline-Ms of the caller"),
        POISON_MESSAGE(PlantedFailures::poison, "closed the connection before the answer was complete"),
        ONE_KEY(PlantedFailures::oneKey, "the key was used for a different request", "dedupe.per if several callers");

        private final Plant plant;
        private final List<String> log;

        Failure(Plant plant, String... log) {
            this.plant = plant;
            this.log = List.of(log);
        }

        List<String> flows() {
            return log;
        }

        List<String> found() {
            return log;
        }
    }

    @AfterEach
    void stop() throws IOException {
        if (gateway != null) {
            Programs.kill(gateway);
        }
        client.shutdownNow();
    }

    @ParameterizedTest
    @EnumSource
    void namesWhatHappenedWhereAndWhatToDo(Failure failure) throws Exception {
        try (PlantedFailures planted = new PlantedFailures(folder)) {
            start(planted.prefix, failure.plant.in(planted));
            while (!containsAll(log(), failure.log)) {
                send(failure);
            }
            String flows;
            do {
                send(failure);
                flows = client.send(request(admin + "flows").build(), BodyHandlers.ofString())
                        .body();
            } while (!containsAll(flows, failure.flows()));
            String found = Ran.run(new FindCommand(), "--since", "10m", admin).out();
            assertThat(containsAll(found, failure.found())).as(found).isTrue();
        }
    }

    private void start(List<String> prefix, String flows) throws Exception {
        Path file = Files.writeString(
                folder.resolve("flows.yaml"),
                "admin: { port: 0 }\ntransactions: { sample: errors }\nstate: state\nflows:\n" + flows);
        List<String> command = new ArrayList<>(prefix);
        command.addAll(Serving.java(Serving.Main.class, List.of("-Xmx256m", "-XX:+UseSerialGC"), file.toString()));
        gateway = new ProcessBuilder(command)
                .redirectError(folder.resolve("err").toFile())
                .start();
        BufferedReader out = gateway.inputReader(UTF_8);
        String line = "";
        while (!line.startsWith("serving")) {
            line = Objects.requireNonNull(out.readLine(), this::log);
            if (line.matches("\\w+: http://.* -> .*")) {
                url = URI.create(line.replaceAll("\\w+: (\\S+) .*", "$1"));
            } else if (line.startsWith("admin: ")) {
                admin = line.substring("admin: ".length());
            }
        }
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("err"));
        } catch (IOException broken) {
            return broken.toString();
        }
    }

    private static boolean containsAll(String text, List<String> words) {
        return words.stream().allMatch(text::contains);
    }

    private static HttpRequest.Builder request(String url) {
        return HttpRequest.newBuilder(URI.create(url));
    }

    /** Two requests after another; several at once where they are to compete. */
    private void send(Failure failure) throws Exception {
        List<CompletableFuture<?>> sent = new ArrayList<>();
        int atOnce = failure == Failure.STARVED_POOL ? 12 : 1;
        for (int number = 0; number < 2 * atOnce; number++) {
            HttpRequest.Builder request = request(url.toString())
                    .header("Idempotency-Key", "order-1")
                    .header("Authorization", "Bearer " + number % 2);
            if (failure == Failure.SHORT_DEADLINE) {
                request.header("Penstock-Deadline-Ms", "60");
            }
            sent.add(
                    client.sendAsync(request.POST(BodyPublishers.ofString("{}")).build(), BodyHandlers.discarding()));
            if (failure == Failure.LONG_PAUSE) {
                try (SuspendedProcess _ = SuspendedProcess.suspend(gateway)) {
                    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(PAUSE_S));
                }
            }
            if (sent.size() >= atOnce) {
                CompletableFuture.allOf(sent.toArray(CompletableFuture[]::new)).join();
                sent.clear();
            }
        }
    }
}
