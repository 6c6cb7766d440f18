package dev.penstock.gateway.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.kit.program.FuzzHarness;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Input: a flow file. It is read, or rejected with readable lines; Windows line breaks change nothing. */
class FlowFileFuzzTest extends FuzzHarness {
    private static final Pattern LINE = Pattern.compile(".*/flows\\.yaml(:(\\d+):(\\d+))?: (.+)");

    private final Path file = scratchFile("flows.yaml");

    @Override
    protected void fuzz(byte[] input) throws Exception {
        String text = new String(input, StandardCharsets.UTF_8);
        // Does not read devices and pipes, because reading them may never end.
        if (text.contains("file:")) {
            return;
        }
        Files.write(file, input);
        allocatingAtMost(4_000_000 + 4_000L * input.length, this::read);
        Outcome outcome = read();
        int lines = text.split("\r\n|\r|\n", -1).length;
        for (String line : outcome.lines) {
            Matcher matcher = LINE.matcher(line);
            assertThat(matcher.matches()).as(line).isTrue();
            if (matcher.group(1) != null) {
                assertThat(Integer.parseInt(matcher.group(2))).as(line).isBetween(1, lines);
                assertThat(Integer.parseInt(matcher.group(3))).as(line).isBetween(1, text.length() + 1);
            }
            assertThat(line.chars().noneMatch(Character::isISOControl)).as(line).isTrue();
        }
        if (text.indexOf('\r') < 0 && input.length < 500_000) {
            Files.write(
                    file,
                    new String(input, StandardCharsets.ISO_8859_1)
                            .replace("\n", "\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            assertThat(read().places()).isEqualTo(outcome.places());
        }
    }

    /** Whether the file was read, with its warnings or problems. */
    private record Outcome(boolean isRead, List<String> lines) {
        /** Without the texts, because some name the character at a location. */
        List<String> places() {
            return lines.stream()
                    .map(line -> isRead + " " + LINE.matcher(line).replaceFirst("$1"))
                    .toList();
        }
    }

    private Outcome read() throws IOException {
        try {
            FlowFile read = FlowFile.read(file, name -> name.equals("SET") ? "value" : null);
            assertThat(read.config().flows()).isNotEmpty();
            return new Outcome(true, read.warnings());
        } catch (BadConfig refused) {
            assertThat(refused.lines()).isNotEmpty();
            return new Outcome(false, refused.lines());
        }
    }
}
