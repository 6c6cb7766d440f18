package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {
    private static final String FLOW = """
            flows:
              payments:
                from: { http: { port: 8080, path: /v1/payments } }
                to: { http: { url: "https://gateway.example/v1" } }
            """;

    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int check(String... args) {
        return Penstock.parser(new CheckCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    private String file(String yaml) throws Exception {
        return Files.writeString(folder.resolve("flows.yaml"), yaml).toString();
    }

    @Test
    void printsThePlanOfAGoodFile() throws Exception {
        assertThat(check(file(FLOW))).isZero();
        assertThat(out.toString())
                .startsWith("flow payments\n  http://127.0.0.1:8080/v1/payments -> https://gateway.example/v1\n");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void warnsOnStandardErrorAndSucceeds() throws Exception {
        String file = file(FLOW + "    retry: { attempts: 2 }\n");
        assertThat(check(file)).isZero();
        assertThat(err.toString()).startsWith(file + ":5:24: warning: ").hasLineCount(1);
    }

    @Test
    void printsEveryProblemOnStandardErrorOnly() throws Exception {
        String file = file(FLOW + "    deadlne: 5s\n    limit: 0\n");
        assertThat(check(file)).isEqualTo(78);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString().lines())
                .hasSize(2)
                .first()
                .isEqualTo(file + ":5:5: unknown key 'deadlne' in flow 'payments'; did you mean 'deadline'?");
    }

    @Test
    void missingFileIsBadConfiguration() {
        assertThat(check(folder.resolve("none.yaml").toString())).isEqualTo(78);
        assertThat(err.toString()).isEqualTo(folder.resolve("none.yaml") + ": file not found; check the path\n");
    }

    @Test
    void noFileIsWrongUsage() {
        assertThat(check()).isEqualTo(2);
    }

    @Test
    void importsAFileOfThePaymentSdkAsOneThatCheckAccepts() throws Exception {
        Path old = Files.writeString(folder.resolve("cybs.properties"), """
                targetAPIVersion=1.164
                useHttpClient=true
                allowRetry=false
                connectionTimeoutMs=5000
                socketTimeoutMs=130000
                keyPassword=s3cr3t
                """);
        assertThat(check("--import", old.toString())).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .startsWith("# Generated from cybs.properties")
                .contains("      connect_timeout: 5s  # connectionTimeoutMs=5000")
                .doesNotContain("s3cr3t");
        String yaml = file(out.toString());
        assertThat(check(yaml)).isZero();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void badFileToImportIsBadConfigurationAndPrintsNothing() throws Exception {
        Path old = Files.writeString(folder.resolve("cybs.properties"), "targetAPIVersion=1.164\ntimeout=soon\n");
        assertThat(check("--import", old.toString())).isEqualTo(78);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .isEqualTo(
                        old
                                + ":2:1: 'timeout' is \"soon\", which is not a whole number up to 2147483647; write for instance 130\n");
    }

    @Test
    void rejectsFlowFileTogetherWithImport() throws Exception {
        assertThat(check("--import", "cybs.properties", file(FLOW))).isEqualTo(2);
    }

    @Test
    void helpHasAnExample() {
        assertThat(check("--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "Example:  penstock check flows.yaml", "penstock check --import cybs.properties > flows.yaml");
    }
}
