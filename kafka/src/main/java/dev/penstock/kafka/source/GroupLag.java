package dev.penstock.kafka.source;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListShareGroupOffsetsSpec;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.SharePartitionOffsetInfo;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The number of records in the topic that the group has not completed, of all partitions and members. A consumer learns nothing
 * of a paused partition, so this asks over an admin client, which it opens with the first question. Thread-safe; one question at
 * a time.
 */
final class GroupLag implements AutoCloseable {
    private final KafkaSourceBuilder built;
    private volatile @Nullable Admin admin;
    private volatile boolean closed;

    GroupLag(KafkaSourceBuilder built) {
        this.built = built;
    }

    /** Asks; empty when the brokers do not answer, or do not know it yet. Blocking. */
    synchronized OptionalLong ask() {
        try {
            Admin known = admin;
            Admin open = known == null ? built.clients.admin() : known;
            admin = open;
            if (closed) {
                close(); // meanwhile, so the questions fail
            }
            Map<TopicPartition, Long> ends = offsets(open, partitions(open), OffsetSpec.latest());
            return OptionalLong.of(built.isShared ? shared(open, ends) : byKey(open, ends));
        } catch (ExecutionException | KafkaException noAnswer) {
            return OptionalLong.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return OptionalLong.empty();
        }
    }

    private List<TopicPartition> partitions(Admin open) throws ExecutionException, InterruptedException {
        return open.describeTopics(List.of(built.topic)).allTopicNames().get().values().stream()
                .flatMap(topic -> topic.partitions().stream())
                .map(one -> new TopicPartition(built.topic, one.partition()))
                .toList();
    }

    private static Map<TopicPartition, Long> offsets(Admin open, Collection<TopicPartition> of, OffsetSpec spec)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        of.forEach(partition -> asked.put(partition, spec));
        Map<TopicPartition, Long> offsets = new HashMap<>();
        open.listOffsets(asked).all().get().forEach((partition, found) -> offsets.put(partition, found.offset()));
        return offsets;
    }

    /** A new group begins with the oldest record. Completed records above a committed offset are in its metadata. */
    private long byKey(Admin open, Map<TopicPartition, Long> ends) throws ExecutionException, InterruptedException {
        Map<TopicPartition, Long> first = offsets(open, ends.keySet(), OffsetSpec.earliest());
        Map<TopicPartition, OffsetAndMetadata> committed = open.listConsumerGroupOffsets(built.group)
                .partitionsToOffsetAndMetadata()
                .get();
        long lag = 0;
        for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
            long begin = first.getOrDefault(end.getKey(), 0L);
            OffsetAndMetadata known = committed.get(end.getKey());
            long done = known == null
                    ? begin
                    : Math.max(begin, known.offset())
                            + CommitMetadata.decode(known.offset(), known.metadata()).completed().stream()
                                    .mapToLong(range -> range.to() - range.from())
                                    .sum();
            lag += Math.max(0, end.getValue() - done);
        }
        return lag;
    }

    /** The brokers know the lag of a partition when the group has acknowledged a record of it. */
    private long shared(Admin open, Map<TopicPartition, Long> ends) throws ExecutionException, InterruptedException {
        Map<TopicPartition, SharePartitionOffsetInfo> known = open.listShareGroupOffsets(
                        Map.of(built.group, new ListShareGroupOffsetsSpec()))
                .partitionsToOffsetInfo(built.group)
                .get();
        long lag = 0;
        for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
            SharePartitionOffsetInfo one = known.get(end.getKey());
            if (one == null) {
                throw new KafkaException("the group has not begun with " + end.getKey());
            }
            lag += Math.max(0, one.lag().orElse(end.getValue() - one.startOffset()));
        }
        return lag;
    }

    @Override
    public void close() {
        closed = true;
        Admin open = admin;
        if (open != null) {
            open.close(Duration.ZERO);
        }
    }
}
