package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.Gateway;
import dev.penstock.gateway.file.FlowFile;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TopCommandRealClockTest {
    @TempDir
    Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int top(String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "top";
        System.arraycopy(args, 0, all, 1, args.length);
        return Penstock.execute(new PrintWriter(out, true), new PrintWriter(err, true), all);
    }

    @Test
    void showsARunningGatewayTheGivenNumberOfTimes() throws Exception {
        Path file = Files.writeString(folder.resolve("flows.yaml"), """
                admin: { port: 0 }
                flows:
                  payments:
                    from: { http: { port: 0, path: / } }
                    to: { http: { url: "http://127.0.0.1:1/" } }
                """);
        try (Gateway gateway = Gateway.start(FlowFile.read(file).config())) {
            URI pages = Objects.requireNonNull(gateway.adminAddress());
            assertThat(top(pages.toString(), "--count", "2", "--every", "100ms"))
                    .isZero();
        }
        assertThat(out.toString().lines().filter(line -> line.startsWith("flow payments")))
                .hasSize(2);
        assertThat(out.toString())
                .contains("nothing was measured yet: limit 200")
                .doesNotContain("\033");
    }

    @Test
    void printsRemedyWhenNoGatewayAnswers() {
        assertThat(top("127.0.0.1:1", "--count", "1")).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("penstock: no answer from a gateway at http://127.0.0.1:1/")
                .hasLineCount(1);
    }

    @Test
    void rejectsInvalidAddress() {
        assertThat(top("::")).isEqualTo(2);
        assertThat(err.toString()).contains("is not an admin address").hasLineCount(1);
    }
}
