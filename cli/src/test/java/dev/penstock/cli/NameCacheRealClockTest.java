package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway whose target is given by name, in a separate JVM that resolves names from a file. */
@Timeout(120)
class NameCacheRealClockTest {
    @TempDir
    Path folder;

    /** The JVM of the test resolves a name again after 1 s, not 30 s. */
    @Test
    void knownTargetIsReachedDuringADnsOutage() throws Exception {
        HttpServer target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        target.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Connection", "close");
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        target.start();
        Path names = Files.writeString(folder.resolve("hosts"), "127.0.0.1 target.test\n");
        Path flows = Files.writeString(
                folder.resolve("flows.yaml"), """
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay } }
                    to: { http: { url: "http://target.test:%d/" } }
                """.formatted(target.getAddress().getPort()));
        List<String> options = List.of(
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djdk.net.hosts.file=" + names,
                "-Dsun.net.inetaddr.ttl=1");
        Process gateway = new ProcessBuilder(Serving.java(Serving.Main.class, options, flows.toString()))
                .redirectError(folder.resolve("err").toFile())
                .start();
        try (BufferedReader out = gateway.inputReader();
                HttpClient client = HttpClient.newHttpClient()) {
            URI url = URI.create(out.readLine().replaceAll("payments: (\\S+) .*", "$1"));
            HttpRequest post = HttpRequest.newBuilder(url)
                    .POST(BodyPublishers.ofString("x"))
                    .build();
            assertThat(client.send(post, BodyHandlers.ofString()).statusCode()).isEqualTo(204);
            Files.writeString(names, "127.0.0.1 another.test\n");
            long gone = System.nanoTime();
            while (System.nanoTime() - gone < Duration.ofSeconds(3).toNanos()) {
                assertThat(client.send(post, BodyHandlers.ofString()).statusCode())
                        .isEqualTo(204);
            }
        } finally {
            gateway.destroyForcibly();
            target.stop(0);
        }
    }
}
