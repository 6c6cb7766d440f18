package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.kit.StablePort;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that can start no thread reports it and ends, so that a supervisor can restart it. The system limits the threads of
 * any user but root, so the process runs as another user, which needs root.
 */
@Timeout(180)
class OutOfThreadsRealClockTest {
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private Path out;

    @BeforeEach
    void open() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "needs root");
        assumeTrue(run(new ArrayList<>(AS_NOBODY), "prlimit", "--version") == 0, "needs setpriv and prlimit");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        out = Files.createFile(folder.resolve("out"));
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static int run(List<String> prefix, String... command) throws InterruptedException {
        prefix.addAll(List.of(command));
        try {
            return new ProcessBuilder(prefix)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException missing) {
            return -1;
        }
    }

    /** The class path of this JVM, where every user may read it. */
    private String readableClassPath() throws IOException {
        List<String> all = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path from = Path.of(entry);
            if (Files.isRegularFile(from)) {
                Path to = folder.resolve(all.size() + "-" + from.getFileName());
                try {
                    all.add(Files.createLink(to, from).toString());
                } catch (IOException otherDisk) {
                    all.add(Files.copy(from, to).toString());
                }
            } else {
                all.add(entry);
            }
        }
        return String.join(File.pathSeparator, all);
    }

    private Process serve(int port, int admin) throws IOException {
        Path flows =
                Files.writeString(folder.resolve("flows.yaml"), """
                state: %s
                admin: { port: %d }
                flows:
                  payments:
                    from: { http: { port: %d, path: / } }
                    to: { http: { url: "http://localhost:9/" } }
                    breaker: off
                """.formatted(folder.resolve("state"), admin, port));
        List<String> command = new ArrayList<>(AS_NOBODY);
        command.addAll(
                Serving.java(Serving.Main.class, List.of("-Xmx128m", "-XX:ActiveProcessorCount=1"), flows.toString()));
        command.set(command.indexOf("-cp") + 1, readableClassPath());
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
    }

    private HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .build(),
                BodyHandlers.ofString());
    }

    private void awaitServing(Process gateway) throws IOException {
        while (!Files.readString(out).contains("serving;")) {
            assertThat(gateway.isAlive()).as(Files.readString(out)).isTrue();
            Thread.onSpinWait();
        }
    }

    @Test
    void processThatCanStartNoThreadRejectsReportsAndExitsWithItsOwnCode() throws Exception {
        int port = StablePort.free();
        int admin = StablePort.free();
        Process gateway = serve(port, admin);
        try {
            awaitServing(gateway);
            assertThat(get(admin, "/ready").statusCode()).isEqualTo(200);
            String pid = Long.toString(gateway.pid());
            assertThat(run(new ArrayList<>(AS_NOBODY), "prlimit", "--pid", pid, "--nproc=1:1"))
                    .isZero();
            // Its target needs a lookup, and that a thread. The first is also logged, and that needs one too on one
            // core.
            for (int call = 0; call < 3; call++) {
                HttpResponse<String> rejected = get(port, "/");
                assertThat(rejected.statusCode()).as(rejected.body()).isEqualTo(503);
                assertThat(rejected.body()).contains("\"ending\":\"rejected\"", "\"cause\":\"pool\"");
            }
            HttpResponse<String> ready = get(admin, "/ready");
            while (ready.statusCode() == 200) {
                ready = get(admin, "/ready");
            }
            assertThat(ready.statusCode()).isEqualTo(503);
            assertThat(ready.body()).contains("cannot start a thread");
            assertThat(gateway.waitFor(120, TimeUnit.SECONDS)).as("ended").isTrue();
            assertThat(gateway.exitValue()).isEqualTo(3);
            assertThat(Files.readString(out))
                    .contains("could not start a thread for 5 s", "ulimit -u", "payments: rejected (pool): ")
                    .contains("offered 3 = answered 0 + rejected 3 ")
                    .doesNotContain("\tat ");
        } finally {
            gateway.destroyForcibly();
        }
    }
}
