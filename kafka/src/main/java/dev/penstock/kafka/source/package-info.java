/**
 * Receives the records of a topic, processes those of a key in order, and commits what is completed.
 *
 * <pre>{@code
 *                                    capacity?     a virtual thread each
 *   poll thread --- RecordQueue ------------- RecordHandling ---> flow ---> target
 *        ^          (order by key)                  |
 *        |                                          | completed (a dead letter included), or given back
 *        +--- commit <--- PartitionProgress <-------+
 * }</pre>
 *
 * <p>Design note: the offset of a group can only say "all before it", so one slow record would hold back all after it. What is
 * completed above it goes into the metadata of the commit, which the broker keeps with the offset and does not read. A member of
 * the classic group protocol is used, with cooperative assignment: there the client chooses the session timeout, so a dead
 * member is replaced after 10 s (with the newer protocol the broker does, 45 s by default).
 */
@NullMarked
package dev.penstock.kafka.source;

import org.jspecify.annotations.NullMarked;
