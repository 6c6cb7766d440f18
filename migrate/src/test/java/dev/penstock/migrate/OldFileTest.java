package dev.penstock.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FileLocation;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class OldFileTest {
    private final ConfigProblems problems = new ConfigProblems();

    @Property(tries = 5_000)
    void readsTheSameNamesAndValuesAsTheJdk(@ForAll("texts") String text) throws IOException {
        Properties expected = new Properties();
        expected.load(new StringReader(text));
        Map<String, String> found = new HashMap<>();
        OldFile.properties(text, new ConfigProblems()).forEach(line -> found.put(line.name(), line.value()));
        // A backslash at the very end may be special or not, depending on the text before it; it is never a name.
        found.remove("");
        expected.remove("");
        assertThat(found).isEqualTo(strings(expected));
    }

    private static Map<String, String> strings(Properties properties) {
        Map<String, String> strings = new HashMap<>();
        properties.stringPropertyNames().forEach(name -> strings.put(name, properties.getProperty(name)));
        return strings;
    }

    /** The special characters of a properties file, and few others. */
    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of("a", "b", "=", ":", " ", "\t", "\f", "\\", "\n", "\r", "\r\n", "#", "!", "\\u0041", "\\t")
                .list()
                .ofMaxSize(30)
                .map(parts -> String.join("", parts))
                // An escape cut in two is distinguished below.
                .filter(text -> !text.replace("\\u0041", "").contains("\\u"));
    }

    @Test
    void keepsTheLineOfEachProperty() {
        String text = "# one\r\na=1\n\n  b = 2\\\n   3\n!c=4\rd\n";
        assertThat(OldFile.properties(text, problems))
                .containsExactly(
                        new PropertyLine("a", "1", new FileLocation(2, 1)),
                        new PropertyLine("b", "23", new FileLocation(4, 3)),
                        new PropertyLine("d", "", new FileLocation(7, 1)));
        assertThat(problems.count()).isZero();
    }

    @Test
    void rejectsInvalidEscape() {
        assertThat(OldFile.properties("a=1\nlogDirectory=c:\\users\n", problems))
                .containsExactly(new PropertyLine("a", "1", new FileLocation(1, 1)));
        assertThat(BadConfig.of(Path.of("f"), problems).lines())
                .isEqualTo(List.of(
                        "f:2:1: a \\u escape is not followed by four hex digits; write \\\\ for a plain backslash"));
    }

    @Test
    void toStringOmitsTheValue() {
        assertThat(new PropertyLine("keyPassword", "s3cr3t", new FileLocation(2, 1)))
                .hasToString("keyPassword in line 2");
    }
}
