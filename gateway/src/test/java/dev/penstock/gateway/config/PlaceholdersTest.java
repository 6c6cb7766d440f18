package dev.penstock.gateway.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.config.ConfigProblems.ConfigProblem;
import dev.penstock.gateway.file.Written;
import dev.penstock.gateway.http.HttpFrom;
import dev.penstock.kit.program.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlaceholdersTest {
    @TempDir
    Path folder;

    ConfigProblems problems = new ConfigProblems();
    Placeholders placeholders;

    @BeforeEach
    void secrets() throws Exception {
        Files.writeString(folder.resolve("token"), "s3cr3t\n");
        Files.writeString(folder.resolve("lines"), "a\n\n");
        Files.writeString(folder.resolve("empty"), "\n");
        Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff});
        Files.write(folder.resolve("large"), new byte[64 * 1024 + 1]);
        placeholders = new Placeholders(Map.of("A", "one", "B_2", "${A}", "EMPTY", "")::get, folder);
    }

    @ParameterizedTest
    @CsvSource({
        "plain, plain",
        "${A}, one",
        "x${A}y${B_2}z, xoney${A}z",
        "${NOPE:two}, two",
        "${NOPE:}, ''",
        "${EMPTY:three}, three",
        "${NOPE:a:b}, a:b",
        "${file:token}, s3cr3t",
        "Bearer ${file:./token}!, Bearer s3cr3t!",
        "$${A}, ${A}",
        "$$${A}, $${A}",
        "costs $5, costs $5",
    })
    void substitutesPlaceholders(String raw, String filled) {
        assertThat(placeholders.fill(raw, FileLocation.START, problems)).isEqualTo(filled);
        assertThat(problems.sorted()).isEmpty();
    }

    @Test
    void removesOnlyTheLastLineBreakOfAFile() {
        assertThat(placeholders.fill("${file:lines}", FileLocation.START, problems))
                .isEqualTo("a\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "${NOPE}        | variable NOPE is not set; set it, or give a default: ${NOPE:...}",
                "${EMPTY}       | variable EMPTY is not set; set it, or give a default: ${EMPTY:...}",
                "${}            | ${} is not a valid placeholder; write ${NAME}, ${NAME:default} or ${file:PATH}",
                "${a-b}         | ${a-b} is not a valid placeholder; write ${NAME}, ${NAME:default} or ${file:PATH}",
                "${A            | a placeholder begins with ${ and is not closed; close it with }, or write $${ for a literal ${",
                "${file:gone}   | the file \"gone\" of a placeholder cannot be read; check that it exists and is readable for this user",
                "${file:empty} | the file \"empty\" of a placeholder is empty; write the value into it",
                "${file:binary} | the file \"binary\" of a placeholder is not UTF-8 text; check its path",
                "${file:large}  | the file \"large\" of a placeholder is larger than the maximum of 64 KB; check its path",
                "${file:/dev/zero} | the file \"/dev/zero\" of a placeholder is not a regular file; check its path",
                "${file:.} | the file \".\" of a placeholder is not a regular file; check its path",
            })
    void reportsMissingVariable(String raw, String text) {
        assertThat(placeholders.fill(raw, FileLocation.START, problems)).isNull();
        assertThat(problems.sorted()).containsExactly(new ConfigProblem(FileLocation.START, text));
    }

    @Test
    @Timeout(60)
    void doesNotWaitForAPipe() throws Exception {
        String mkfifo = Programs.path("mkfifo");
        assertThat(new ProcessBuilder(mkfifo, folder.resolve("pipe").toString())
                        .start()
                        .waitFor())
                .isZero();
        assertThat(placeholders.fill("${file:pipe}", FileLocation.START, problems))
                .isNull();
        assertThat(problems.sorted())
                .containsExactly(new ConfigProblem(
                        FileLocation.START,
                        "the file \"pipe\" of a placeholder is not a regular file; check its path"));
    }

    @Test
    void substitutesInNumbersAndDurationsButNotInKeysOrRawText() throws Exception {
        Written written = new Written(folder, Map.of("PORT", "9000", "TIME", "7s\n    limit: 1"));
        FlowConfig flow = written.read(Written.FLOW.replace("8080", "\"${PORT}\"") + "    deadline: \"${NOPE:7s}\"\n")
                .config()
                .flows()
                .getFirst();
        assertThat(((HttpFrom) flow.from()).port().value()).isEqualTo(9000);
        assertThat(flow.deadline().value()).isEqualTo(Duration.ofSeconds(7));
        assertThat(written.errorsWith("deadline: \"${TIME}\""))
                .containsExactly(
                        "f.yaml:5:15: 'deadline' is \"${TIME}\" filled in, which is not a duration; write a number and a unit, for instance 200ms, 2s, 5m or 1h");
        assertThat(written.errorsWith("${TIME}: x")).singleElement().asString().contains("unknown key '${TIME}'");
    }
}
