package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.file.FlowFile;
import dev.penstock.kafka.kit.KafkaBroker;
import dev.penstock.lab.report.ResultFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Loads and probes a real broker. */
@Timeout(300)
class KafkaCommandsBrokerTest {
    private static final int PARTITIONS = 3;

    private static KafkaBroker broker;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws Exception {
        broker = KafkaBroker.start();
    }

    @AfterAll
    static void stop() throws Exception {
        broker.close();
    }

    private static long records(String topic) throws Exception {
        Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .collect(Collectors.toMap(Function.identity(), _ -> OffsetSpec.latest()));
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, broker.servers()))) {
            return admin.listOffsets(ends).all().get().values().stream()
                    .mapToLong(end -> end.offset())
                    .sum();
        }
    }

    @Test
    void loadsATopic() throws Exception {
        broker.createTopic("loaded", PARTITIONS, Map.of());
        Path json = folder.resolve("load.json");
        Ran ran = Ran.run(
                new LoadCommand(),
                "kafka:" + broker.servers(),
                "--topic=loaded",
                "--rate=100",
                "--for=300ms",
                "--json=" + json);

        assertThat(ran.err()).isEmpty();
        assertThat(ResultFile.read(json).contestants().getFirst().blocks().getFirst())
                .containsEntry("count", 30.0)
                .containsEntry("errors", 0.0);
        assertThat(records("loaded")).isEqualTo(30);
    }

    @Test
    void probesATopic() throws Exception {
        broker.createTopic("probed", PARTITIONS, Map.of());
        Ran ran = Ran.run(
                new ProbeCommand(),
                "kafka:" + broker.servers(),
                "--topic=probed",
                "--for=5s",
                "--max-rate=300",
                "--max-connections=12",
                "--quiet",
                "--yes");

        assertThat(ran.err()).isEmpty();
        assertThat(ran.out())
                .contains("round trip", "partitions", "min.insync.replicas", "reconnects by itself")
                .contains("add to the flow file:");
        String yaml = ran.out()
                .substring(ran.out().indexOf("add to the flow file:"))
                .lines()
                .skip(1)
                .collect(Collectors.joining("\n"));
        assertThat(FlowFile.read(Files.writeString(folder.resolve("flow.yaml"), yaml))
                        .config()
                        .flows())
                .hasSize(1);
    }

    @Test
    void saysWhichTopicIsAbsent() {
        Ran ran = Ran.run(
                new ProbeCommand(), "kafka:" + broker.servers(), "--topic=absent", "--for=5s", "--quiet", "--yes");

        assertThat(ran.code()).isEqualTo(CommandLineExit.FAILED);
        assertThat(ran.err()).contains("topic absent").doesNotContain("\n");
    }
}
