package dev.penstock.kafka.source;

import dev.penstock.kafka.source.CommitMetadata.Attempts;
import dev.penstock.source.KeyOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A partition from its assignment to its revocation. Guarded by its {@link RecordQueue}, except for its id and stop. */
final class AssignedPartition extends HeldRecord.Delivery {
    /**
     * The number of records, from the first one, whose attempt is committed before it begins, unless the earlier consumer has
     * closed the partition: it died, maybe of one of them. More than a flow usually has in process.
     */
    private static final int CAUTIOUS = 1_000;

    final TopicPartition id;
    final PartitionProgress progress;
    final KeyOrder<HeldRecord> order = new KeyOrder<>(held -> held.key);
    /** Started and not ended. */
    final Set<HeldRecord> running = new HashSet<>();
    /** Started under an earlier assignment, and not delivered under this one yet; by offset. */
    private final Map<Long, HeldRecord> takenOver = new HashMap<>();

    private int cautious;
    /** Whether there is something new to commit. */
    boolean changed;
    /** Whether it was logged that the metadata cannot hold all completed offsets. */
    boolean isOverflowLogged;

    AssignedPartition(TopicPartition id, long committed, @Nullable String metadata) {
        this.id = id;
        this.progress = new PartitionProgress(committed, metadata);
        this.cautious = CommitMetadata.decode(committed, metadata).isClosed() ? 0 : CAUTIOUS;
    }

    /** Continues with the records that still run under an earlier assignment. */
    void takeOver(AssignedPartition earlier) {
        for (HeldRecord held : earlier.running) {
            if (progress.isCompleted(held.offset())) {
                continue; // by another consumer meanwhile
            }
            Attempts attempts = earlier.progress.attempts(held.offset());
            held.delivery = this;
            running.add(held);
            takenOver.put(held.offset(), held);
            progress.takeOver(held.offset(), attempts);
            boolean _ = order.mayStart(held);
            changed = true;
        }
        earlier.running.clear();
    }

    /** Whether a record is processed already, since an earlier assignment. */
    boolean isTakenOver(long offset) {
        return takenOver.remove(offset) != null;
    }

    /** Whether the attempt of the next record is committed before it begins. */
    boolean isCautious() {
        return cautious > 0 && cautious-- > 0;
    }
}
