package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.jdbc.kit.FreshSchema;
import dev.penstock.jdbc.kit.RealPostgres;
import dev.penstock.kafka.kit.KafkaBroker;
import dev.penstock.kit.FullRun;
import dev.penstock.lab.measure.TimeLine;
import dev.penstock.lab.report.ResultFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The demo of a fleet with a real broker and a real database. */
@Tag("full")
@Timeout(600)
class FleetDemoRealClockTest {
    @Test
    void nothingIsLostWhileGatewaysAreKilled(@TempDir Path folder) throws Exception {
        Path json = folder.resolve("fleet.json");
        Path html = folder.resolve("fleet.html");
        Ran ran;
        try (KafkaBroker broker = KafkaBroker.start();
                RealPostgres postgres = RealPostgres.start();
                FreshSchema schema = postgres.schema()) {
            ran = Ran.run(
                    new DemoCommand(),
                    "--fleet",
                    "--for=" + (FullRun.ON ? 60 : 16) + "s",
                    "--quiet",
                    "--kafka=" + broker.servers(),
                    "--store=" + schema.url(),
                    "--json=" + json,
                    "--html=" + html);
            awaitNoTopics(broker);
        }
        System.out.println(ran.out());
        assertThat(ran.err()).contains("gateway:  ", "load:  ");
        assertThat(ran.out()).containsPattern("\nOK: .* none lost, none with two effects .* killed [1-9] times\\.\n$");
        assertThat(ran.code()).isZero();
        TimeLine line = Objects.requireNonNull(
                ResultFile.read(json).contestants().getFirst().timeLine());
        assertThat(line.series().get("share_1")).anyMatch(share -> share != null && share > 10);
        assertThat(html).content().contains("share_1", "kill");
        String keep = System.getProperty("penstock.fleet.html");
        if (keep != null) {
            Files.copy(html, Path.of(keep));
        }
    }

    @Test
    void noTopicIsLeftWhenItFails() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start()) {
            Ran ran = Ran.run(
                    new DemoCommand(), "--fleet", "--quiet", "--kafka=" + broker.servers(), "--store=not-a-database");
            assertThat(ran.err()).contains("a gateway does not start");
            assertThat(ran.code()).isEqualTo(1);
            awaitNoTopics(broker);
        }
    }

    private static void awaitNoTopics(KafkaBroker broker) throws Exception {
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.servers()))) {
            while (!admin.listTopics().names().get().isEmpty()) {
                Thread.onSpinWait();
            }
        }
    }
}
