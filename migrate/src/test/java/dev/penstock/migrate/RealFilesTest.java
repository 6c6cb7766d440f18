package dev.penstock.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.migrate.FlowKey.Unit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files as applications have them, each with the flow file that is made of it: {@code NAME.expected.yaml}. Those in {@code real/} are of other projects. */
class RealFilesTest {
    @TempDir
    Path folder;

    static List<String> files() {
        return List.of(
                "hibernate.cfg.xml",
                "persistence.xml",
                "application.yaml",
                "resilience4j.yml",
                "hystrix.properties",
                "server.xml",
                "real/tomcat-server.xml",
                "origin.properties");
    }

    private static byte[] resource(String name) throws IOException {
        try (var in = Objects.requireNonNull(RealFilesTest.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        }
    }

    private String yaml(String name, byte[] content) throws Exception {
        return SettingsImport.flowFile(Files.write(folder.resolve(Path.of(name).getFileName()), content));
    }

    private FlowFile read(String yaml) throws Exception {
        return FlowFile.read(
                Files.writeString(folder.resolve("flows.yaml"), yaml),
                name -> name.contains("URL")
                        ? "jdbc:postgresql://db.example/x"
                        : name.contains("PASSWORD") ? "p" : null);
    }

    @ParameterizedTest
    @MethodSource("files")
    void isConvertedAsExpected(String name) throws Exception {
        assertThat(yaml(name, resource(name)))
                .isEqualTo(new String(resource(name + ".expected.yaml"), StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @MethodSource("files")
    void resultIsAValidFlowFileWithoutSecrets(String name) throws Exception {
        String yaml = yaml(name, resource(name));
        assertThat(yaml).doesNotContain("s3cr3t");
        assertThat(read(yaml).config().flows()).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyLineIsReportedByNameAndLine(String name) throws Exception {
        byte[] content = resource(name);
        String yaml = yaml(name, content).replaceAll("\n *# +", " ");
        List<PropertyLine> lines = OldFile.parse(content, new ConfigProblems());
        assertThat(lines)
                .hasSizeGreaterThan(10)
                .allSatisfy(line -> assertThat(yaml)
                        .containsPattern("(?s)\\Q" + line.name() + "\\E(=[^\n]{0,70})? \\(line "
                                + line.location().line() + "\\)"));
    }

    /** A mutated file gives a flow file that can be checked, or errors of one line each. */
    @ParameterizedTest
    @MethodSource("files")
    void mutatedFileIsConvertedOrRefused(String name) throws Exception {
        String text = new String(resource(name), StandardCharsets.UTF_8);
        Random random = new Random(name.hashCode());
        int converted = 0;
        for (int round = 0; round < 80; round++) {
            String mutated = mutated(text, random);
            String yaml = "";
            try {
                yaml = yaml(name, mutated.getBytes(StandardCharsets.UTF_8));
                read(yaml);
                converted++;
            } catch (BadConfig bad) {
                // A URL, a port or a variable may be one that only this machine refuses.
                String expected = yaml.isEmpty()
                        ? Path.of(name).getFileName() + ".*"
                        : ".*(jdbc\\.url|variable|same port|http\\.host|http\\.port).*";
                assertThat(bad.lines())
                        .as(mutated)
                        .allSatisfy(line ->
                                assertThat(line).matches(".*" + expected).doesNotContain("Exception"));
            }
        }
        assertThat(converted).isGreaterThan(5);
    }

    private static String mutated(String text, Random random) {
        StringBuilder mutated = new StringBuilder(text);
        for (int times = 1 + random.nextInt(3); times > 0; times--) {
            int at = random.nextInt(mutated.length());
            String[] pieces = {
                "${",
                "}",
                "\"",
                "<",
                "&",
                ":",
                "-1",
                "99999999999",
                "\\u00",
                "\n",
                "\u0001",
                "\ufeff",
                "=",
                "  ",
                "[",
                "{",
                "\t",
                "0",
                "é",
                "#"
            };
            switch (random.nextInt(3)) {
                case 0 -> mutated.insert(at, pieces[random.nextInt(pieces.length)]);
                case 1 -> mutated.delete(at, Math.min(mutated.length(), at + 1 + random.nextInt(20)));
                default ->
                    mutated.insert(at, mutated.substring(at, Math.min(mutated.length(), at + random.nextInt(80))));
            }
        }
        return mutated.toString();
    }

    @Test
    void profileOfSpringIsNotMixedIn() throws Exception {
        String yaml = yaml("application.yaml", resource("application.yaml"));
        assertThat(yaml).doesNotContain("jdbc:h2").contains("spring.datasource.url (line 44): only with profile test");
    }

    private static String range(FlowKey key) {
        return key.max() == 0
                ? ""
                : Pattern.quote(key.unit().write(key.min()).replaceFirst("^0$", key.unit() == Unit.TIME ? "0s" : "0")
                        + ".." + key.unit().write(key.max()));
    }

    @Test
    void everyFlowKeyIsInTheReferenceWithItsRange() throws Exception {
        String reference = Files.readString(Path.of("..", "docs", "reference.md"));
        for (FlowKey key : SettingsImport.PRODUCTS.getFirst().keys.values()) {
            String path = key.path();
            String parent = path.contains(".") ? "." + path.substring(0, path.lastIndexOf('.')) : "";
            String last = path.substring(path.lastIndexOf('.') + 1);
            String section = reference
                    .lines()
                    .dropWhile(line -> !line.startsWith("## `flows.NAME" + parent + "`"))
                    .skip(1)
                    .takeWhile(line -> !line.startsWith("## "))
                    .collect(Collectors.joining("\n"));
            assertThat(section).as(path).containsPattern("\\| `" + last + "` \\| [^|]*" + range(key));
        }
    }
}
