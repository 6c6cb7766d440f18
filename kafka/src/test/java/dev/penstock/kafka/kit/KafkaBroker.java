package dev.penstock.kafka.kit;

import dev.penstock.kit.StablePort;
import dev.penstock.kit.program.Programs;
import dev.penstock.kit.program.RestartableServer;
import dev.penstock.kit.program.SuspendedProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * A real Kafka broker (KRaft, one node that is its own controller) in its own process on 127.0.0.1, with its log in a folder
 * that is deleted with it. It keeps its ports. It needs {@code kafka_2.13} on the class path of the test, and half a GB.
 *
 * <pre>{@code
 * try (KafkaBroker broker = KafkaBroker.start()) {
 *     KafkaTarget.at(KafkaCluster.at(broker.servers())) ...
 *     broker.suspend();    // SIGSTOP
 *     broker.kill();       // kill -9
 *     broker.restart();    // the same folder, the same ports
 * }
 * }</pre>
 *
 * <p>Safe for many threads.
 */
public final class KafkaBroker implements RestartableServer {
    /** For a fast start rather than peak performance. */
    private static final List<String> JVM_OPTIONS = List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    /** One node: no topic of the broker's own can have more than one replica. */
    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("process.roles", "broker,controller"),
            Map.entry("node.id", "1"),
            Map.entry("controller.listener.names", "CONTROLLER"),
            Map.entry("listener.security.protocol.map", "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT"),
            Map.entry("inter.broker.listener.name", "PLAINTEXT"),
            Map.entry("auto.create.topics.enable", "false"),
            Map.entry("offsets.topic.replication.factor", "1"),
            Map.entry("offsets.topic.num.partitions", "1"),
            Map.entry("transaction.state.log.replication.factor", "1"),
            Map.entry("transaction.state.log.min.isr", "1"),
            Map.entry("transaction.state.log.num.partitions", "1"),
            Map.entry("share.coordinator.state.topic.replication.factor", "1"),
            Map.entry("share.coordinator.state.topic.min.isr", "1"),
            Map.entry("share.coordinator.state.topic.num.partitions", "1"),
            Map.entry("group.initial.rebalance.delay.ms", "0"));

    private final Path folder;
    private final Path log;
    private final int port;
    private final Map<String, Object> client = new TreeMap<>();
    private @Nullable Process running;
    private @Nullable SuspendedProcess suspended;

    private KafkaBroker(Path folder, int port, Map<String, String> login) {
        this.folder = folder;
        this.log = folder.resolve("output");
        this.port = port;
        client.putAll(login);
        client.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers());
    }

    /**
     * Starts a broker on free ports.
     *
     * @throws IOException when it does not start, with what it printed
     */
    public static KafkaBroker start() throws IOException {
        return start(Map.of());
    }

    /**
     * The same.
     *
     * @param settings of {@code server.properties}, beside or instead of those that one node needs
     * @throws IOException as above
     */
    public static KafkaBroker start(Map<String, String> settings) throws IOException {
        return start(settings, Map.of());
    }

    /**
     * The same, with a login.
     *
     * @param login the settings of a client that may do everything
     * @throws IOException as above
     */
    public static KafkaBroker start(Map<String, String> settings, Map<String, String> login) throws IOException {
        KafkaBroker broker = new KafkaBroker(Files.createTempDirectory("penstock-kafka"), StablePort.free(), login);
        try {
            broker.format(settings);
            broker.restart();
            return broker;
        } catch (IOException e) {
            broker.close();
            throw e;
        }
    }

    private void format(Map<String, String> settings) throws IOException {
        String controller = "127.0.0.1:" + StablePort.free();
        Map<String, String> all = new TreeMap<>(SETTINGS);
        all.put("log.dirs", folder.resolve("log").toString());
        all.put("listeners", "PLAINTEXT://" + servers() + ",CONTROLLER://" + controller);
        all.put("advertised.listeners", "PLAINTEXT://" + servers());
        all.put("controller.quorum.bootstrap.servers", controller);
        all.putAll(settings);
        Files.writeString(
                properties(),
                all.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
                        .collect(Collectors.joining()));
        Process tool = Programs.started(
                java(
                        "kafka.tools.StorageTool",
                        "format",
                        "-t",
                        Uuid.randomUuid().toString(),
                        "-c",
                        properties().toString(),
                        "--standalone"),
                log);
        try {
            if (!tool.waitFor(60, TimeUnit.SECONDS) || tool.exitValue() != 0) {
                Programs.kill(tool);
                throw new IOException("the broker's folder was not formatted:\n" + Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the broker's folder was formatted", e);
        }
    }

    private Path properties() {
        return folder.resolve("server.properties");
    }

    private static List<String> java(String main, String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(List.of(args));
        return command;
    }

    /** The bootstrap servers for clients, {@code 127.0.0.1:port}. */
    public String servers() {
        return "127.0.0.1:" + port;
    }

    /**
     * Creates a topic, and waits until its partitions have a leader.
     *
     * <p>The broker shows a leader before that one takes records. It refuses the first request of a producer then, but takes the
     * next one, which is on its way already: a leader without records of a producer accepts any sequence number. What was refused
     * is out of order from then on, until the producer gives it up.
     *
     * @param settings of the topic, for instance {@code cleanup.policy}
     */
    public void createTopic(String name, int partitions, Map<String, String> settings) throws Exception {
        try (Admin admin = Admin.create(client)) {
            admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1).configs(settings)))
                    .all()
                    .get();
            awaitLeaders(
                    admin,
                    IntStream.range(0, partitions)
                            .mapToObj(partition -> new TopicPartition(name, partition))
                            .collect(Collectors.toMap(Function.identity(), _ -> OffsetSpec.latest())));
        }
    }

    /** Sets configs of a group, for instance {@code share.auto.offset.reset}. */
    public void configureGroup(String group, Map<String, String> settings) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.GROUP, group);
        List<AlterConfigOp> all = settings.entrySet().stream()
                .map(one -> new AlterConfigOp(new ConfigEntry(one.getKey(), one.getValue()), AlterConfigOp.OpType.SET))
                .toList();
        try (Admin admin = Admin.create(client)) {
            admin.incrementalAlterConfigs(Map.of(resource, all)).all().get();
        }
    }

    /** The client repeats this while there is no leader, but not while the broker does not know the topic yet. */
    private static void awaitLeaders(Admin admin, Map<TopicPartition, OffsetSpec> ends) throws Exception {
        while (true) {
            try {
                admin.listOffsets(ends).all().get();
                return;
            } catch (ExecutionException failed) {
                if (!(failed.getCause() instanceof UnknownTopicOrPartitionException)) {
                    throw failed;
                }
            }
        }
    }

    /** Switches share groups off, as in a cluster that was upgraded from an earlier version. */
    public void withoutShareGroups() throws Exception {
        FeatureUpdate off = new FeatureUpdate((short) 0, FeatureUpdate.UpgradeType.SAFE_DOWNGRADE);
        try (Admin admin = Admin.create(client)) {
            admin.updateFeatures(Map.of("share.version", off), new UpdateFeaturesOptions())
                    .all()
                    .get();
        }
    }

    @Override
    public int port() {
        return port;
    }

    /** The folder of its log and its output. */
    public Path folder() {
        return folder;
    }

    @Override
    public synchronized void kill() throws IOException {
        if (running != null) {
            Programs.kill(running);
            running = null;
        }
        resume();
    }

    @Override
    public synchronized void suspend() throws IOException {
        if (running != null && suspended == null) {
            suspended = SuspendedProcess.suspend(running);
        }
    }

    @Override
    public synchronized void resume() throws IOException {
        if (suspended != null) {
            suspended.close();
            suspended = null;
        }
    }

    @Override
    public synchronized void restart() throws IOException {
        kill();
        running = Programs.serving(java("kafka.Kafka", properties().toString()), log, () -> Programs.isListening(port));
    }

    @Override
    public synchronized void close() throws IOException {
        kill();
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }
}
