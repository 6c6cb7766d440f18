package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jms.broker.EmbeddedBroker;
import dev.penstock.lab.report.ResultFile;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs commands in a JVM without a driver, with the driver's real jar in a folder. */
@Timeout(120)
class ClientJarsRealClockTest {
    private static final String FLOW = """
            flows:
              orders:
                from: { http: { port: 0, path: /orders } }
                to: { jdbc: { url: "jdbc:postgresql://127.0.0.1:1/orders", statement: "select 1" } }
            """;

    @TempDir
    private Path folder;

    private Path lib;

    private record Ended(int code, String out, String err) {}

    @BeforeEach
    void folders() throws IOException {
        lib = Files.createDirectory(folder.resolve("lib"));
    }

    /** The jars of the class path by prefix of their name. */
    private static List<Path> jars(String name) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(path -> path.getFileName().toString().startsWith(name))
                .toList();
    }

    private static void copy(String name, Path to) throws IOException {
        List<Path> jars = jars(name);
        assertThat(jars).as("jars of " + name).hasSize(1);
        Files.copy(jars.getFirst(), to.resolve(jars.getFirst().getFileName()));
    }

    private Ended run(String without, String... args) throws Exception {
        List<Path> absent = jars(without);
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !absent.contains(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(Serving.java(Penstock.class, List.of("-Xmx256m"), args));
        command.set(command.indexOf("-cp") + 1, classPath);
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
            return new Ended(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void findsDriverBesideTheFlowFile() throws Exception {
        Path file = Files.writeString(folder.resolve("flows.yaml"), FLOW);

        Ended missing = run("postgresql-42", "check", file.toString());
        assertThat(missing.code()).isEqualTo(78);
        assertThat(missing.err())
                .contains("'to.jdbc.url' has no JDBC driver")
                .contains("put the jar of its driver into the folder lib beside the flow file")
                .contains("--lib DIR");

        copy("postgresql-42", lib);
        Ended found = run("postgresql-42", "check", file.toString());
        assertThat(found.err()).doesNotContain("driver");
        assertThat(found.code()).isZero();
    }

    @Test
    void loadUsesADriverInAFolder() throws Exception {
        Path json = folder.resolve("load.json");
        String[] load = {
            "load",
            "jdbc:h2:mem:test",
            "--statement=select 1",
            "--rate=50",
            "--for=200ms",
            "--quiet",
            "--json=" + json,
            "--lib=" + lib
        };
        Ended none = run("h2-", load);
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("no jars found in " + lib);

        copy("h2-", lib);
        Ended loaded = run("h2-", load);
        assertThat(loaded.err()).isEmpty();
        assertThat(ResultFile.read(json).contestants().getFirst().blocks().getFirst())
                .containsEntry("count", 10.0)
                .containsEntry("errors", 0.0);
    }

    @Test
    void reachesQueueByAClientInAFolder() throws Exception {
        Path json = folder.resolve("load.json");
        client(lib.resolve("acme.jar"));
        try (EmbeddedBroker broker = EmbeddedBroker.on(folder.resolve("broker"), "127.0.0.1", 0)) {
            String target = "jms:class:acme.AcmeFactory?url=" + broker.url() + "&connectionTTL=60000";
            Ran without = Ran.run(new LoadCommand(), target, "--queue=payments", "--rate=50", "--for=200ms");
            assertThat(without.code()).isEqualTo(2);
            assertThat(without.err())
                    .contains("class not found: acme.AcmeFactory")
                    .contains("--lib DIR");

            Ran ran = Ran.run(
                    new LoadCommand(),
                    target,
                    "--queue=payments",
                    "--rate=50",
                    "--for=200ms",
                    "--quiet",
                    "--json=" + json,
                    "--lib=" + lib);

            assertThat(ran.err()).isEmpty();
            assertThat(ResultFile.read(json).contestants().getFirst().blocks().getFirst())
                    .containsEntry("count", 10.0)
                    .containsEntry("errors", 0.0);
            assertThat(broker.count("payments")).isEqualTo(10);
        }
    }

    /** A jar with a JMS client that is on no class path. */
    private void client(Path jar) throws IOException {
        Path sources = Files.createDirectories(folder.resolve("client/acme"));
        Path source = Files.writeString(sources.resolve("AcmeFactory.java"), """
                package acme;

                import jakarta.jms.*;
                import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

                public class AcmeFactory implements ConnectionFactory {
                    private String url;
                    private long timeToLive;

                    public void setUrl(String url) {
                        this.url = url;
                    }

                    public void setConnectionTTL(long millis) {
                        timeToLive = millis;
                    }

                    private ConnectionFactory real() {
                        ActiveMQConnectionFactory real = new ActiveMQConnectionFactory(url);
                        real.setConnectionTTL(timeToLive);
                        return real;
                    }

                    public Connection createConnection() throws JMSException {
                        return real().createConnection();
                    }

                    public Connection createConnection(String user, String password) throws JMSException {
                        return real().createConnection(user, password);
                    }

                    public JMSContext createContext() {
                        return real().createContext();
                    }

                    public JMSContext createContext(String user, String password) {
                        return real().createContext(user, password);
                    }

                    public JMSContext createContext(String user, String password, int mode) {
                        return real().createContext(user, password, mode);
                    }

                    public JMSContext createContext(int mode) {
                        return real().createContext(mode);
                    }
                }
                """);
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-cp", System.getProperty("java.class.path"), source.toString());
        assertThat(failed).isZero();
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry("acme/AcmeFactory.class"));
            Files.copy(sources.resolve("AcmeFactory.class"), out);
        }
    }
}
