package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The transport of docs/transport.md, in a jar beside the flow file, works in {@code serve} and {@code check}. */
@Timeout(120)
class TransportPageRealClockTest {
    private static final Pattern FLOW_FILE = Pattern.compile("<<'END'\n(.*?)END\n", Pattern.DOTALL);

    @TempDir
    private Path folder;

    private String flowFile;

    @BeforeEach
    void jarOfThePage() throws Exception {
        List<DocExample> page = DocExample.all(Path.of("..")).stream()
                .filter(example -> example.file().endsWith("transport.md"))
                .toList();
        Matcher file = FLOW_FILE.matcher(of(page, "sh"));
        assertThat(file.find()).isTrue();
        flowFile = file.group(1).replace("9090", "0");
        Path source = Files.writeString(folder.resolve("EchoTransport.java"), of(page, "java"));
        Path classes = folder.resolve("classes");
        int code = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-nowarn",
                        "-d",
                        classes.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        source.toString());
        assertThat(code).isZero();
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve("dev.penstock.gateway.transport.Transport"), "example.EchoTransport\n");
        Files.createDirectory(folder.resolve("lib"));
        jar(classes, folder.resolve("lib").resolve("echo.jar"));
    }

    private static String of(List<DocExample> page, String language) {
        return page.stream()
                .filter(example -> example.language().equals(language))
                .findFirst()
                .orElseThrow()
                .text();
    }

    private static void jar(Path classes, Path jar) throws IOException {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
            }
        }
    }

    @Test
    void servesFlowsOfAForeignTransport() throws Exception {
        Path file = Files.writeString(folder.resolve("echo.yaml"), flowFile);
        Path err = folder.resolve("err");
        Process serve = Serving.start(err, Map.of(), file.toString());
        try (BufferedReader out = serve.inputReader()) {
            String admin = admin(out, err);
            String flows = get(admin + "/flows");
            while (!flows.contains("\"answered\":3")) {
                assertThat(serve.isAlive()).as(Files.readString(err)).isTrue();
                flows = get(admin + "/flows");
            }
            assertThat(flows)
                    .contains("\"from\":\"tick every 100 ms\"", "\"to\":\"echo\"", "\"ticks\":{\"sent\":")
                    .contains("\"messages\":{}");
            assertThat(get(admin + "/metrics")).containsPattern("penstock_ticks_total\\{.*result=\"sent\".*} ");
            assertThat(get(admin + "/settings")).contains("\"tick.every\"", "\"echo.prefix\"");
            assertThat(get(admin + "/schema"))
                    .contains("\"tick\"")
                    .isEqualTo(Ran.run(new SchemaCommand(), "--lib", lib()).out());
            serve.toHandle().destroy(); // leaves the output open, unlike Process.destroy
            assertThat(out.lines().toList()).anyMatch(line -> line.contains("accounting balanced"));
            assertThat(serve.waitFor()).isEqualTo(CommandLineExit.DONE);
        } finally {
            serve.destroyForcibly();
        }
    }

    /** The address of the admin pages, which {@code serve} prints. */
    private static String admin(BufferedReader out, Path err) throws IOException {
        Pattern address = Pattern.compile("http://127\\.0\\.0\\.1:\\d+");
        List<String> seen = new ArrayList<>();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            seen.add(line);
            Matcher found = address.matcher(line);
            if (found.find()) {
                return found.group();
            }
        }
        throw new AssertionError(seen + Files.readString(err));
    }

    private static String get(String url) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString())
                    .body();
        }
    }

    private String lib() {
        return folder.resolve("lib").toString();
    }

    @Test
    void explainsKeysOfAForeignTransport() {
        assertThat(Ran.run(new ExplainCommand(), "tick.every").err()).startsWith("unknown key 'tick.every'; ");
        assertThat(Ran.run(new ExplainCommand(), "--lib", lib(), "tick.every").out())
                .startsWith("flows.NAME.from.tick.every\n");
    }

    @Test
    void checksKeysOfAForeignTransport() throws Exception {
        assertThat(check(flowFile).out())
                .containsPattern("tick\\.every +100 ms")
                .contains("tick every 100 ms -> echo");
        assertThat(check(flowFile.replace("tick:", "timer:")).err()).contains("did you mean 'tick'?");
        assertThat(check(flowFile.replace("every: 100ms", "evry: 100ms")).err())
                .contains(":3:21: unknown key 'evry' in from.tick; did you mean 'every'?");
        assertThat(check(flowFile.replace("limit: 2", "dedupe: id")).err())
                .contains("ticks have no idempotency key; remove dedupe");
        assertThat(check(flowFile.replace("limit: 2", "collapse: auto")).err())
                .contains("'collapse' batches requests, which 'to.echo' does not support; leave it out");
        assertThat(check(flowFile.replace("limit: 2", "pool: { max: 3 }")).err())
                .contains("'pool' only applies to HTTP and databases; remove it: 'to.echo' has no connection pool");
    }

    private Ran check(String yaml) throws Exception {
        Path file = Files.writeString(folder.resolve("checked.yaml"), yaml);
        return Ran.run(new CheckCommand(), file.toString());
    }
}
