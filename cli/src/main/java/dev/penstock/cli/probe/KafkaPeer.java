package dev.penstock.cli.probe;

import dev.penstock.kafka.KafkaCluster;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.probe.AnnouncedLimit;
import dev.penstock.lab.probe.IdleConnection;
import dev.penstock.lab.probe.ProbePeer;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.jspecify.annotations.Nullable;

/** A topic of Kafka. All callers send with one producer, as those of a flow do. */
public final class KafkaPeer implements ProbePeer {
    private final KafkaCluster cluster;
    private final String topic;
    private final LoadSender loader;

    /**
     * Creates a peer.
     *
     * @param loader sends records to the topic; closed with this
     */
    public KafkaPeer(KafkaCluster cluster, String topic, LoadSender loader) {
        this.cluster = cluster;
        this.topic = topic;
        this.loader = loader;
    }

    @Override
    public String where() {
        return "kafka:" + cluster + " topic " + topic;
    }

    @Override
    public LoadResult run(Load<?> load) throws InterruptedException {
        return loader.run(load);
    }

    @Override
    public List<AnnouncedLimit> announced() throws IOException, InterruptedException {
        ConfigResource named = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try (Admin admin = Admin.create(cluster.adminSettings())) {
            int brokers = admin.describeCluster().nodes().get().size();
            TopicDescription described = Objects.requireNonNull(
                    admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic));
            Config config = Objects.requireNonNull(
                    admin.describeConfigs(List.of(named)).all().get().get(named));
            int replicas = described.partitions().getFirst().replicas().size();
            return List.of(
                    new AnnouncedLimit("brokers", String.valueOf(brokers), "of the cluster"),
                    new AnnouncedLimit(
                            "partitions",
                            String.valueOf(described.partitions().size()),
                            "the most members of a consumer group that get records"),
                    new AnnouncedLimit("replicas", String.valueOf(replicas), "of each partition"),
                    of(config, "min.insync.replicas", "with fewer in sync, the topic takes no record"),
                    of(config, "max.message.bytes", "a larger record is refused"));
        } catch (ExecutionException | KafkaException failed) {
            Throwable cause = failed instanceof ExecutionException ? failed.getCause() : null;
            throw new IOException(
                    where() + " cannot be asked (" + (cause == null ? failed : cause).getMessage()
                            + "); check the address, the topic and the brokers",
                    failed);
        }
    }

    private static AnnouncedLimit of(Config config, String name, String meaning) {
        return new AnnouncedLimit(name, config.get(name).value(), meaning);
    }

    /** Null, because the client reconnects by itself. */
    @Override
    public IdleConnection.@Nullable Port idle() {
        return null;
    }

    /** Null: the producer itself sends together what is there. */
    @Override
    public ProbePeer.@Nullable Batches batch() {
        return null;
    }

    @Override
    public void close() {
        loader.close();
    }
}
