package dev.penstock.gateway.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The exact message for one invalid line of a flow; the cases are in {@code one-wrong-line.txt}. */
class FlowFileErrorTest {
    @TempDir
    Path folder;

    static Stream<Arguments> cases() throws IOException {
        try (InputStream in = FlowFileErrorTest.class.getResourceAsStream("one-wrong-line.txt")) {
            String all = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(all.split("\n\n"))
                    .filter(block -> !block.startsWith("#"))
                    .map(FlowFileErrorTest::one);
        }
    }

    private static Arguments one(String block) {
        List<String> lines = block.lines().toList();
        List<String> errors = lines.stream().skip(1).map(String::strip).toList();
        return Arguments.of(lines.getFirst(), errors);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void reportsOneMistakeWithLocationAndRemedy(String line, List<String> errors) {
        // In double quotes, YAML reads \n as a line break.
        String yaml = line.contains("\"") ? line : line.replace("\\n", "\n").replace("\\t", "\t");
        assertThat(new Written(folder).errorsWith(yaml)).isEqualTo(errors);
    }
}
