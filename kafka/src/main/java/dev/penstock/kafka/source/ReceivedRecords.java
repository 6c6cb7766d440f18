package dev.penstock.kafka.source;

import org.jspecify.annotations.Nullable;

/** The records received and not ended. Thread-safe. */
sealed interface ReceivedRecords permits RecordQueue, SharedRecords {
    /** The next record to process, whose attempt begins now; null for none, or if the flow has no capacity left. */
    @Nullable
    HeldRecord next();

    /**
     * Waits until another consumer would see that the record's attempt has begun, if that is required.
     *
     * @return false if the record must not be processed
     */
    default boolean awaitCommitted(HeldRecord held) {
        return true;
    }

    /** An attempt begins. */
    default void began(HeldRecord held) {}

    /**
     * An attempt has ended, and the record is not completed.
     *
     * @param wasSent whether it counts as an attempt
     */
    default void tried(HeldRecord held, boolean wasSent) {}

    /**
     * A record is no longer processed.
     *
     * @param isCompleted false for one that is given back: it is processed again, here or by another consumer
     */
    void ended(HeldRecord held, boolean isCompleted);

    /** The number of records received and not ended. */
    int size();
}
