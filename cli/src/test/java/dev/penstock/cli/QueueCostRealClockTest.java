package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpTarget;
import dev.penstock.jms.kit.BrokerProcess;
import dev.penstock.kafka.kit.KafkaBroker;
import dev.penstock.kit.StablePort;
import dev.penstock.lab.load.Arrivals;
import dev.penstock.lab.load.OpenLoad;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.simulate.HttpSimulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a gateway costs that takes transactions over HTTP, keeps them in a broker, and sends them over HTTP. Prints figures. */
@Tag("full")
@Tag("full-only")
@Timeout(900)
class QueueCostRealClockTest {
    /** Transactions per second; on a machine with two cores that everything shares. */
    private static final int RATE = Integer.getInteger("penstock.cost.rate", 1_000);

    private static final Duration MEASURED = Duration.ofSeconds(Integer.getInteger("penstock.cost.seconds", 5));
    /** Records of 2 KB, more than the heap of the gateway. */
    private static final int BACKLOG = Integer.getInteger("penstock.cost.backlog", 100_000);

    private static final int RECORD_BYTES = 2_000;
    private static final int PARTITIONS = 3;
    private static final String ACCEPT = """
            flows:
              accept:
                from: { http: { port: %1$d, path: / } }
                to: %2$s
                status: off
              carry:
                from: %3$s
                to: { http: { url: "%4$s/" } }
            """;

    @TempDir
    Path folder;

    private Process serve(String name, String flows) throws IOException {
        Path file = Files.writeString(folder.resolve(name + ".yaml"), flows);
        Process process = new ProcessBuilder(
                        Serving.java(Serving.Main.class, List.of("-Xmx128m", "-XX:+UseSerialGC"), file.toString()))
                .directory(Files.createDirectories(folder.resolve(name)).toFile())
                .redirectError(folder.resolve(name + ".err").toFile())
                .start();
        String line = "";
        while (!line.startsWith("serving;")) {
            line = Objects.requireNonNull(
                    process.inputReader().readLine(), () -> "it ended; see " + folder.resolve(name + ".err"));
        }
        return process;
    }

    private static double cpuMicros(Process process) {
        return process.toHandle().info().totalCpuDuration().orElseThrow().toNanos() / 1e3;
    }

    /** The peak of its resident memory. */
    private static long peakMegabytes(Process process) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
                .findFirst()
                .orElseThrow();
    }

    private static void await(HttpSimulator target, long requests) {
        while (target.report().requests().answered() < requests) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    private static LoadResult load(int port, Duration time) throws InterruptedException {
        try (LoadTarget<?, ?> clients = LoadTarget.ofHttp(
                HttpTarget.at("http://127.0.0.1:" + port).build(),
                CallMaker.of("POST", CallMaker.ROOT, null, List.of(), 1))) {
            return clients.run(
                    OpenLoad.at(Arrivals.constant(RATE)).lasting(time).sparing(Duration.ofMillis(5)));
        }
    }

    private void measure(String name, String to, String from) throws Exception {
        int port = StablePort.free();
        try (HttpSimulator target = HttpSimulator.builder().start()) {
            Process gateway = serve(name, ACCEPT.formatted(port, to, from, target.url()));
            try {
                long first = load(port, MEASURED).counts().right();
                await(target, first);
                double before = cpuMicros(gateway);
                LoadResult measured = load(port, MEASURED);
                long accepted = measured.counts().right();
                await(target, first + accepted);
                System.out.printf(
                        "%s at %,d/s: %.0f us of CPU a transaction, %,d MB resident at most; of %,d accepted none lost; p99 %.0f ms%n",
                        name,
                        RATE,
                        (cpuMicros(gateway) - before) / accepted,
                        peakMegabytes(gateway),
                        accepted,
                        measured.metrics().get("p99_ms"));
                assertThat(accepted).isPositive();
                assertThat(gateway.isAlive()).isTrue();
            } finally {
                gateway.destroyForcibly();
            }
        }
    }

    @Test
    void aTransactionOverATopic() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start()) {
            broker.createTopic("kept", PARTITIONS, Map.of());
            String at = "{ kafka: { url: \"%s\", topic: kept".formatted(broker.servers());
            measure("Kafka", at + " } }", at + ", group: carriers, key: penstock_id } }");
        }
    }

    @Test
    void aTransactionOverAQueue() throws Exception {
        try (BrokerProcess broker = BrokerProcess.start()) {
            String at = "{ jms: { url: \"%s\", queue: kept".formatted(broker.url());
            measure("Artemis", at + " } }\n    collapse: auto", at + ", key: JMSMessageID } }");
        }
    }

    @Test
    void aLongBacklogStaysAtTheBroker() throws Exception {
        try (KafkaBroker broker = KafkaBroker.start();
                HttpSimulator target = HttpSimulator.builder().start()) {
            broker.createTopic("kept", PARTITIONS, Map.of());
            fill(broker);
            Process gateway = serve(
                    "backlog",
                    ACCEPT.formatted(
                            StablePort.free(),
                            "{ kafka: { url: \"%s\", topic: kept } }".formatted(broker.servers()),
                            "{ kafka: { url: \"%s\", topic: kept, group: carriers, key: penstock_id } }"
                                    .formatted(broker.servers()),
                            target.url()));
            try {
                await(target, BACKLOG / 10);
                System.out.printf(
                        "with %,d records in backlog: %,d MB resident at most%n", BACKLOG, peakMegabytes(gateway));
                assertThat(gateway.isAlive()).isTrue();
            } finally {
                gateway.destroyForcibly();
            }
        }
    }

    private static void fill(KafkaBroker broker) {
        Properties settings = new Properties();
        settings.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, broker.servers());
        ByteArraySerializer bytes = new ByteArraySerializer();
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(settings, bytes, bytes)) {
            for (int number = 0; number < BACKLOG; number++) {
                ProducerRecord<byte[], byte[]> record = new ProducerRecord<>("kept", new byte[RECORD_BYTES]);
                record.headers().add("penstock_id", ("id-" + number).getBytes());
                producer.send(record);
            }
        }
    }
}
