package dev.penstock.kafka.source;

import dev.penstock.source.SourceStop;

/** What records were received by: an assigned partition, or a member of a share group. Thread-safe. */
class Delivery {
    /** Asked when its records are given back. */
    final SourceStop stop = new SourceStop();
    /** Whether another consumer may have its records. */
    volatile boolean isReleased;
}
