package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A process that has no file descriptor left serves new clients as soon as it has some again. */
@Timeout(120)
@EnabledOnOs(OS.LINUX) // prlimit
class NoDescriptorsRealClockTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private static final String ENOUGH = "1000";

    @TempDir
    Path folder;

    @Test
    void clientsAreServedAgainAfterAcceptingFailed() throws Exception {
        Process server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        jars(),
                        ServingProgram.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = server.inputReader()) {
            for (int port : List.of(Integer.parseInt(out.readLine()), Integer.parseInt(out.readLine()))) {
                assertThat(served(port)).isTrue();
                limit(server, "1");
                try (RawClient inTheBacklog = clientsUntilNoneIsAccepted(port)) {
                    limit(server, ENOUGH);
                    assertThat(inTheBacklog.answer()).startsWith("HTTP/1.1 200");
                }
                assertThat(served(port)).isTrue();
            }
        } finally {
            server.destroyForcibly();
        }
    }

    /** The class path with a jar for each folder: a jar stays open, but each class of a folder takes a descriptor to load. */
    private String jars() {
        List<String> jars = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (Files.isDirectory(Path.of(entry))) {
                String jar = folder.resolve(jars.size() + ".jar").toString();
                int code = ToolProvider.findFirst("jar")
                        .orElseThrow()
                        .run(System.out, System.err, "--create", "--no-compress", "--file", jar, "-C", entry, ".");
                assertThat(code).isZero();
                jars.add(jar);
            } else {
                jars.add(entry);
            }
        }
        return String.join(File.pathSeparator, jars);
    }

    private static void limit(Process server, String descriptors) throws Exception {
        Process set = new ProcessBuilder("prlimit", "--pid", "" + server.pid(), "--nofile=" + descriptors + ":")
                .inheritIO()
                .start();
        assertThat(set.waitFor()).isZero();
    }

    /** The last of these clients: it has no answer after 200 ms. One may be accepted with a descriptor from before. */
    private static RawClient clientsUntilNoneIsAccepted(int port) throws Exception {
        RawClient client = new RawClient(port);
        while (client.send(GET).isAnsweredWithin(200)) {
            client.close();
            client = new RawClient(port);
        }
        return client;
    }

    private static boolean served(int port) throws Exception {
        try (RawClient client = new RawClient(port)) {
            return String.valueOf(client.send(GET).answer()).startsWith("HTTP/1.1 200");
        }
    }
}
