package dev.penstock.kafka.source;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Partitions that were revoked while records of theirs were processed. When one is assigned again, those records continue, so
 * that none is processed twice at the same time, and the order by key is kept. For the poll thread.
 */
final class FormerPartitions {
    private final Map<TopicPartition, AssignedPartition> running = new HashMap<>();

    /** A partition was revoked, and another consumer may have it from now on. */
    void left(AssignedPartition partition, RecordQueue queue) {
        partition.isReleased = true;
        if (queue.isRunning(partition)) {
            running.put(partition.id, partition);
        }
    }

    /** A partition is assigned. */
    void returned(AssignedPartition partition, RecordQueue queue) {
        AssignedPartition earlier = running.remove(partition.id);
        if (earlier != null) {
            queue.takeOver(earlier, partition);
        }
    }
}
