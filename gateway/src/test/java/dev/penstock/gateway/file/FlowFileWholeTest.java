package dev.penstock.gateway.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.penstock.gateway.config.BadConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The messages about a file as a whole. */
class FlowFileWholeTest {
    @TempDir
    Path folder;

    Written written;

    @BeforeEach
    void file() {
        written = new Written(folder);
    }

    @Test
    void rejectsMissingFile() {
        Path file = folder.resolve("nowhere.yaml");
        assertThatExceptionOfType(BadConfig.class)
                .isThrownBy(() -> FlowFile.read(file))
                .withMessage(file + ": file not found; check the path");
    }

    @Test
    void rejectsDirectory() {
        assertThatExceptionOfType(BadConfig.class)
                .isThrownBy(() -> FlowFile.read(folder))
                .withMessage(folder + ": this is a directory; give the flow file itself");
    }

    @Test
    void rejectsUnreadableFile() throws Exception {
        Path loop = folder.resolve("loop.yaml");
        Files.createSymbolicLink(loop, loop);
        assertThatExceptionOfType(BadConfig.class)
                .isThrownBy(() -> FlowFile.read(loop))
                .withMessage(loop + ": cannot read the file; check its permissions (FileSystemException)");
    }

    @Test
    void rejectsEmptyFileAndFileOfCommentsOnly() {
        String empty = "f.yaml:1:1: the file is empty; begin with flows:";
        assertThat(written.errors("")).containsExactly(empty);
        assertThat(written.errors(" \n\n")).containsExactly(empty);
        assertThat(written.errors("# nothing\n")).containsExactly(empty);
    }

    @Test
    void reportsLocationOfBytesThatAreNotUtf8() {
        byte[] latin = "flows:\n  caf\u00e9: {}\n".getBytes(StandardCharsets.ISO_8859_1);
        assertThat(written.errors(latin)).containsExactly("f.yaml:2:6: this is not UTF-8 text; save the file as UTF-8");
        byte[] cut = "flows: \u00e9".getBytes(StandardCharsets.UTF_8);
        assertThat(written.errors(java.util.Arrays.copyOf(cut, cut.length - 1)))
                .containsExactly("f.yaml:1:8: this is not UTF-8 text; save the file as UTF-8");
    }

    @Test
    void rejectsFileOfMoreThanOneMegabyte() {
        String large = "#".repeat(1024 * 1024 - 1) + "\n";
        assertThat(written.errors(large)).containsExactly("f.yaml:1:1: the file is empty; begin with flows:");
        assertThat(written.errors(large + "#"))
                .containsExactly("f.yaml: the file is larger than the maximum of 1 MB; check that it is the flow file");
    }

    @Test
    void rejectsControlCharacter() {
        assertThat(written.errors("flows:\n  a: \u0007"))
                .containsExactly("f.yaml:2:6: invalid control character; remove it");
    }

    @Test
    void rejectsDeepNesting() {
        assertThat(written.errors("a: " + "[".repeat(100_000)))
                .containsExactly("f.yaml:1:35: collections are nested more than 32 deep; a flow file needs 6 at most");
    }

    @Test
    void rejectsSecondDocument() {
        assertThat(written.errors(Written.FLOW + "---\nflows: {}\n"))
                .containsExactly("f.yaml:5:1: a second document begins here, but a flow file has one; remove the ---");
    }

    @Test
    void rejectsTooManyAliases() {
        String bomb = "x: &x [1]\ny: [" + "*x, ".repeat(101) + "]\n";
        assertThat(written.errors(bomb)).singleElement().asString().startsWith("f.yaml:1:1: this YAML is not accepted");
    }

    @Test
    void rejectsFileThatIsNotAMapping() {
        assertThat(written.errors("hello\n"))
                .containsExactly(
                        "f.yaml:1:1: the file must be a mapping, but this is the text \"hello\"; begin with flows:");
        assertThat(written.errors("- a\n- b\n"))
                .containsExactly("f.yaml:1:1: the file must be a mapping, but this is a list; begin with flows:");
    }

    @Test
    void rejectsFileWithoutFlows() {
        String example = FlowReader.EXAMPLE;
        assertThat(written.errors("admin: { port: 9090 }\n"))
                .containsExactly("f.yaml:1:1: the file has no 'flows'; add for instance flows: { " + example + " }");
        assertThat(written.errors("flows: {}\n"))
                .containsExactly("f.yaml:1:1: 'flows' is empty; add for instance " + example);
        assertThat(written.errors("flows:\n"))
                .containsExactly(
                        "f.yaml:1:7: 'flows' must be a mapping, but this is empty; write for instance " + example);
    }

    @Test
    void reportsAllProblemsInFileOrder() {
        assertThat(written.errors("""
                        admin: { port: eighty }
                        flows:
                          payments:
                            from: { http: { port: 8080 } }
                            to: { http: { url: "ftp://x" } }
                            deadlne: 5s
                            retry: { attempts: 0 }
                          9lives: {}
                        shutdown: { drian: 1s }
                        """))
                .containsExactly(
                        "f.yaml:1:16: 'admin.port' must be a whole number, but this is the text \"eighty\"; write a number from 0 to 65535",
                        "f.yaml:4:13: from.http has no 'path'; add for instance path: /v1/payments",
                        "f.yaml:5:24: 'to.http.url' has the scheme 'ftp', which is not supported; use http or https",
                        "f.yaml:6:5: unknown key 'deadlne' in flow 'payments'; did you mean 'deadline'?",
                        "f.yaml:7:24: 'retry.attempts' is 0, so no request would be sent; write 1 to 10, or leave retry out",
                        "f.yaml:8:3: '9lives' is not a valid flow name; write a letter, then letters, digits, - or _, at most 64",
                        "f.yaml:9:13: unknown key 'drian' in shutdown; did you mean 'drain'?");
    }

    @Test
    void reportsAtMostTwentyProblems() {
        StringBuilder many = new StringBuilder(Written.FLOW);
        for (int i = 0; i < 25; i++) {
            many.append("    wrong").append(i).append(": 1\n");
        }
        List<String> errors = written.errors(many.toString());
        assertThat(errors).hasSize(21);
        assertThat(errors.get(19)).startsWith("f.yaml:24:5: unknown key 'wrong19'");
        assertThat(errors.get(20)).isEqualTo("f.yaml: 5 more problems; fix these first");
    }

    @Test
    void messageIsOneLineForAnyFileContent() {
        assertThat(written.errorsWith("\"dead\\nline\\e[31m\": 1"))
                .singleElement()
                .asString()
                .doesNotContain("\n", "\u001b")
                .contains("unknown key 'dead\\u000aline\\u001b[31m'");
    }
}
