package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.Gateway;
import dev.penstock.gateway.file.FlowFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ReloadCommandRealClockTest {
    private static final String FILE = """
            admin: { port: 0 }
            flows:
              payments:
                from: { http: { port: 0, path: / } }
                to: { http: { url: "http://127.0.0.1:1/" } }
                deadline: 5s
            """;

    @TempDir
    Path folder;

    private Path file;
    private Gateway gateway;
    private String admin;

    @BeforeEach
    void start() throws Exception {
        file = folder.resolve("flows.yaml");
        Files.writeString(file, FILE);
        gateway = Gateway.start(file, FlowFile.read(file), () -> {});
        admin = Objects.requireNonNull(gateway.adminAddress()).toString();
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    /** The exit code, then what the command printed. */
    private String run(String... args) {
        StringWriter printed = new StringWriter();
        PrintWriter both = new PrintWriter(printed, true);
        int code = Penstock.execute(both, both, args);
        return code + "\n" + printed.toString().replace(file.toString(), "FILE");
    }

    private void write(String from, String to) throws IOException {
        Files.writeString(file, FILE.replace(from, to));
    }

    @Test
    void showsADifferenceAndThenAppliesIt() throws Exception {
        assertThat(run("diff", file.toString(), admin)).isEqualTo("0\nno difference to generation 1\n");
        assertThat(run("reload", admin)).startsWith("0\ngeneration 1 since ").endsWith(", by the start\n");
        write("5s", "3s\n    limit: 7\nshutdown: { drain: 1s }\nstate: other");
        assertThat(run("diff", file.toString(), admin)).isEqualTo("""
                        0
                        flows.payments.deadline: 5s -> 3s (builds flow payments anew)
                        flows.payments.limit: added, 7 (builds flow payments anew)
                        shutdown.drain: added, 1s (applied at once)
                        state: added, other (needs a restart)
                        """);
        assertThat(run("reload", admin)).isEqualTo("""
                        1
                        state: added, other; restart to apply it: this change cannot be made while the gateway runs
                        generation 1 goes on
                        """);
        write("5s", "3s");
        assertThat(run("reload", admin))
                .contains("\ngeneration 2 since ", ", by 127.0.0.1\n  flows.payments.deadline: 5s -> 3s\n")
                .endsWith("\nflow payments: built anew\n0 flows unchanged\n");
    }

    @Test
    void aBadFileExitsAsCheckDoes() throws Exception {
        write("5s", "soon");
        String checked = run("check", file.toString());
        assertThat(checked).startsWith("78\nFILE:6:15: ");
        assertThat(run("reload", admin)).isEqualTo(checked + "generation 1 goes on\n");
        assertThat(run("diff", file.toString(), admin)).isEqualTo(checked);
        assertThat(run("reload", "127.0.0.1:1")).startsWith("1\npenstock: no answer from a gateway");
    }

    @Test
    void watchingReportsAFileThatHasChangedAndIsComplete() throws Exception {
        CountDownLatch changed = new CountDownLatch(1);
        try (FlowFileWatch watch = new FlowFileWatch(file)) {
            write("5s", "30s");
            watch.start(changed::countDown);
            changed.await();
        }
    }
}
