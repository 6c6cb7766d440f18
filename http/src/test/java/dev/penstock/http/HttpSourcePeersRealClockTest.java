package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A source behind programs that send HTTP/1.0: nginx with its default settings, and ab. */
@Timeout(120)
class HttpSourcePeersRealClockTest {
    private static final int PATIENCE_SECONDS = 60;

    @TempDir
    Path folder;

    private final List<HttpCall> calls = new CopyOnWriteArrayList<>();
    private final List<Process> programs = new ArrayList<>();
    private HttpSource source;

    @BeforeEach
    void open() throws Exception {
        source = HttpSource.on(0)
                .route("/pay", "payments", call -> {
                    calls.add(call);
                    return HttpAnswer.of(200, Headers.none(), call.body());
                })
                .build();
        source.start();
    }

    @AfterEach
    void close() throws Exception {
        for (Process program : programs) {
            program.destroy();
            program.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        source.close();
    }

    @Test
    void answersThroughNginxWithItsDefaultSettings() throws Exception {
        Path socket = nginx();
        String head = "POST /pay HTTP/1.1\r\nHost: h\r\nConnection: close\r\n";
        for (String body :
                List.of("Content-Length: 2\r\n\r\nhi", "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n")) {
            assertThat(ask(socket, head + body)).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\nhi");
        }
        assertThat(calls)
                .hasSize(2)
                .allSatisfy(call -> assertThat(call.headers().all("Via")).containsExactly("1.0 penstock"));
    }

    @Test
    void answersAbOverOneConnectionForEachRequest() throws Exception {
        assertThat(ab("-n", "100", "-c", "4"))
                .containsPattern("Complete requests: +100\n")
                .containsPattern("Failed requests: +0\n")
                .doesNotContain("Non-2xx");
        assertThat(calls).hasSize(100);
    }

    @Test
    void answersAbOverConnectionsThatLast() throws Exception {
        assertThat(ab("-k", "-n", "200", "-c", "4"))
                .containsPattern("Complete requests: +200\n")
                .containsPattern("Failed requests: +0\n")
                .containsPattern("Keep-Alive requests: +200\n")
                .doesNotContain("Non-2xx");
        assertThat(calls)
                .hasSize(200)
                .allSatisfy(call -> assertThat(call.body()).asString().isEqualTo("hi"));
    }

    private String ab(String... options) throws Exception {
        String program = found("ab", "apache2-utils");
        Path body = Files.writeString(folder.resolve("body"), "hi");
        List<String> command = new ArrayList<>(List.of(program, "-q", "-p", body.toString(), "-T", "text/plain"));
        command.addAll(List.of(options));
        command.add("http://127.0.0.1:" + source.port() + "/pay");
        Path output = folder.resolve("ab.txt");
        Process ab = started(command, output);
        assertThat(ab.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return Files.readString(output);
    }

    /** Starts an nginx that passes all to the source by {@code proxy_pass} alone, and returns where it listens. */
    private Path nginx() throws Exception {
        String program = found("nginx", "nginx");
        Path socket = folder.resolve("nginx.sock");
        Path conf = Files.writeString(folder.resolve("nginx.conf"), """
                daemon off;
                master_process off;
                pid %1$s/nginx.pid;
                events { worker_connections 64; }
                http {
                  access_log off;
                  client_body_temp_path %1$s/body;
                  proxy_temp_path %1$s/proxy;
                  fastcgi_temp_path %1$s/fastcgi;
                  uwsgi_temp_path %1$s/uwsgi;
                  scgi_temp_path %1$s/scgi;
                  server {
                    listen unix:%1$s/nginx.sock;
                    location / { proxy_pass http://127.0.0.1:%2$d; }
                  }
                }
                """.formatted(folder, source.port()));
        Path log = folder.resolve("nginx.txt");
        Process nginx =
                started(List.of(program, "-p", folder.toString(), "-e", log.toString(), "-c", conf.toString()), log);
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!isListening(socket)) {
            assertThat(nginx.isAlive() && System.nanoTime() < until)
                    .as(Files.readString(log))
                    .isTrue();
            LockSupport.parkNanos(5_000_000);
        }
        return socket;
    }

    private Process started(List<String> command, Path output) throws IOException {
        Process program = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        programs.add(program);
        return program;
    }

    /** Where a program is; the test is skipped where it is not. */
    private static String found(String program, String debianPackage) {
        Optional<Path> found = Stream.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin")
                .map(place -> Path.of(place, program))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(found.isPresent(), program + ", on Debian: apt-get install " + debianPackage);
        return found.orElseThrow().toString();
    }

    private static boolean isListening(Path socket) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            return false;
        }
    }

    private static String ask(Path socket, String request) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
