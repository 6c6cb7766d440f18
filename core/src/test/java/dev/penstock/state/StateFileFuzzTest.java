package dev.penstock.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.StateFile;
import dev.penstock.kit.program.FuzzHarness;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Input: a state file; and, as UTF-16, lines {@code name=value} to keep. A file of any bytes can be read; what was read or
 * kept is there after the file was written and read again.
 */
class StateFileFuzzTest extends FuzzHarness {
    private final Path file = scratchFile("learned");

    @Override
    protected void fuzz(byte[] input) throws Exception {
        Files.write(file, input);
        allocatingAtMost(2_000_000 + 2_000L * input.length, () -> StateFile.at(file));
        Map<String, String> expected = new TreeMap<>();
        StateFile state = StateFile.at(file);
        for (String name : names(new String(input, StandardCharsets.UTF_8))) {
            String value = state.value(name);
            if (value != null) {
                expected.put(name, value);
            }
        }
        // Not decoded: half of a surrogate pair stays one.
        String kept = ByteBuffer.wrap(input).asCharBuffer().toString();
        for (String line : kept.split("\n", 20)) {
            keep(state, expected, line);
        }
        assertThat(StateFile.name(kept)).matches("[A-Za-z0-9][A-Za-z0-9._:/?@=,-]{0,199}");
        state.keep("last", "1");
        expected.put("last", "1");
        check(expected);
    }

    private static List<String> names(String text) {
        return text.lines().map(line -> line.split(" ", 2)[0]).toList();
    }

    private static void keep(StateFile state, Map<String, String> expected, String line) {
        int middle = line.indexOf('=');
        if (middle < 0) {
            return;
        }
        String name = StateFile.name(line.substring(0, middle));
        String value = line.substring(middle + 1);
        try {
            state.keep(name, value);
            expected.put(name, value);
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageContaining("cannot keep");
        }
    }

    private void check(Map<String, String> expected) throws IOException {
        StateFile again = StateFile.at(file);
        expected.forEach((name, value) -> assertThat(again.value(name)).isEqualTo(value));
        try (var beside = Files.list(file.getParent())) {
            assertThat(beside).containsExactly(file);
        }
    }
}
