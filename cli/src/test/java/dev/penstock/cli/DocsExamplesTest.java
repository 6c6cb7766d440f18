package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The examples of all pages work: flow files pass {@code check}, Java compiles, command lines parse. */
class DocsExamplesTest {
    private static final Path ROOT = Path.of("..");

    @TempDir
    Path folder;

    @Test
    void flowFilesPassCheck() throws Exception {
        List<String> problems = new ArrayList<>();
        List<DocExample> flowFiles = DocExample.all(ROOT).stream()
                .filter(FlowFileExamples::isFlowFile)
                .toList();
        for (DocExample flowFile : flowFiles) {
            problems.addAll(FlowFileExamples.problems(flowFile, folder));
        }
        assertThat(flowFiles).isNotEmpty();
        assertThat(problems).isEmpty();
    }

    @Test
    void javaCompiles() throws Exception {
        List<DocExample> java = DocExample.all(ROOT).stream()
                .filter(example -> example.language().equals("java"))
                .filter(example -> !example.file().equals("docs/spring.md")) // compiled by its module, which has Spring
                .toList();
        assertThat(java).isNotEmpty();
        assertThat(JavaExamples.problems(java, folder)).isEmpty();
    }

    @Test
    void commandLinesOfDocsParse() throws Exception {
        List<DocExample> scripts =
                DocExample.all(ROOT).stream().filter(ShellExamples::isShell).toList();
        assertThat(scripts.stream().flatMap(script -> ShellExamples.calls(script).stream()))
                .isNotEmpty();
        assertThat(scripts.stream().flatMap(script -> ShellExamples.problems(script).stream()))
                .isEmpty();
    }

    @Test
    void readmeHasExamplesOfEachKind() throws IOException {
        List<DocExample> readme = DocExample.all(ROOT).stream()
                .filter(example -> example.file().equals("README.md"))
                .toList();
        assertThat(readme)
                .anyMatch(FlowFileExamples::isFlowFile)
                .anyMatch(example -> example.language().equals("java"))
                .anyMatch(example -> !ShellExamples.calls(example).isEmpty());
    }

    @Test
    void findsExamplesWithTheirLineLanguageAndGivenNames() {
        List<DocExample> found = DocExample.in("docs/page.md", """
                # Page

                1. Indented:
                   ```yaml
                   flows:
                     a: 1
                   ```
                <!-- given: int first; -->
                <!-- given: int second; -->
                ```java
                first = second;
                ```

                ```
                plain
                ```
                """.lines().toList());
        assertThat(found)
                .containsExactly(
                        new DocExample("docs/page.md", 4, "yaml", "flows:\n  a: 1\n", ""),
                        new DocExample("docs/page.md", 10, "java", "first = second;\n", "int first; int second; "),
                        new DocExample("docs/page.md", 14, "", "plain\n", ""));
    }

    @Test
    void reportsLineOfUnknownKey() throws Exception {
        String flowFile = """
                flows:
                  payments:
                    from: { http: { port: 8080, path: /v1/payments } }
                    to: { http: { url: "${GATEWAY_URL}", headers: { Authorization: "${file:/run/secrets/gateway}" } } }
                    deadline: 5s
                """;
        assertThat(FlowFileExamples.problems(yaml(flowFile), folder)).isEmpty();
        assertThat(FlowFileExamples.problems(yaml(flowFile.replace("deadline", "deadlne")), folder))
                .singleElement()
                .asString()
                .startsWith("docs/page.md:15:5: ")
                .contains("'deadlne'");
    }

    @Test
    void suppliesFilesNamedByAFlowFile() throws Exception {
        String flowFile = """
                flows:
                  payments:
                    from: { http: { port: 8080, path: /v1/payments } }
                    to:
                      http:
                        url: "https://gateway.example/v1"
                        tls: { ca: ca.pem, certificate: client.pem, key: /etc/client.key, password: "${KEY_PASSWORD}" }
                """;
        assertThat(FlowFileExamples.problems(yaml(flowFile.replace(", password: \"${KEY_PASSWORD}\"", "")), folder))
                .isEmpty();
        String store = flowFile.replaceFirst("certificate: .*key,", "key_store: client.p12,");
        assertThat(FlowFileExamples.problems(yaml(store), folder)).isEmpty();
    }

    @Test
    void reportsLinesOfUnknownMethodAndSyntaxError() throws Exception {
        DocExample good = java("""
                import java.util.concurrent.atomic.AtomicInteger;
                AtomicInteger count = new AtomicInteger();
                Flow<String, String> names = Flow.named("names")
                        .deadline(Duration.ofSeconds(1))
                        .to(cache::get);
                """);
        DocExample wrongMethod = java(good.text().replace(".deadline", ".dedline"));
        DocExample syntax = java("Flow.named(\"names\";\n");
        assertThat(JavaExamples.problems(List.of(good), folder)).isEmpty();
        assertThat(JavaExamples.problems(List.of(syntax, good, wrongMethod), folder))
                .hasSize(2)
                .anySatisfy(problem -> assertThat(problem).startsWith("docs/page.md:11: "))
                .anySatisfy(problem -> assertThat(problem)
                        .startsWith("docs/page.md:14: cannot find symbol; symbol:")
                        .contains("dedline"));
    }

    @Test
    void membersUnitsAndElidedCodeCompile() throws Exception {
        DocExample members = java("""
                Flow<Order, String> orders;

                String place(Order order) throws Exception {
                    return orders.call(order);
                }
                """);
        DocExample unit = java("""
                import dev.penstock.flow.Flow;

                public class Payments {
                    private Flow<String, String> flow;
                }
                """);
        DocExample elided = java("""
                record Pair(int left, int right) {}
                try (var target = gateway) {
                    ...
                }
                """);
        assertThat(JavaExamples.problems(List.of(members, unit, unit, elided), folder))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '%',
            value = {
                "./penstock serv flows.yaml % docs/page.md:11: Unmatched arguments from index 0: 'serv', 'flows.yaml'",
                "./penstock check --imprt a.properties % docs/page.md:11: Unknown option: '--imprt'",
                "./penstock demo --for soon % docs/page.md:11: Invalid value for option '--for': ",
                "mvn verify && ./penstock top % docs/page.md:11: Missing required parameter",
            })
    void reportsLineOfInvalidCommandLine(String line, String problem) {
        assertThat(ShellExamples.problems(sh(line))).singleElement().asString().startsWith(problem);
    }

    @Test
    void splitsAScriptAsAShellDoes() {
        DocExample script = sh("""
                apt-get install maven            # ./penstock comes later
                JAVA_OPTS="-Xmx1g -Xms1g" ./penstock serve a.yaml >log.txt 2>&1 &
                penstock load http://x --body '{"a": 1}' \\
                    --rate 5 | tee out; ./penstock check "b c.yaml"
                """);
        assertThat(ShellExamples.calls(script))
                .containsExactly(
                        new ShellExamples.Call(12, List.of("serve", "a.yaml")),
                        new ShellExamples.Call(13, List.of("load", "http://x", "--body", "{\"a\": 1}", "--rate", "5")),
                        new ShellExamples.Call(13, List.of("check", "b c.yaml")));
    }

    private static DocExample yaml(String text) {
        return new DocExample("docs/page.md", 10, "yaml", text, "");
    }

    private static DocExample java(String text) {
        return new DocExample("docs/page.md", 10, "java", text, "");
    }

    private static DocExample sh(String text) {
        return new DocExample("docs/page.md", 10, "sh", text, "");
    }
}
