package dev.penstock.kafka.source;

import dev.penstock.Ticker;
import dev.penstock.kafka.source.CommitMetadata.Attempts;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The records of all members of a share group that this source has. A member asks here before it receives a batch. All records
 * received are processed, also after the stop, since a delivery that does not end is counted by the broker. Thread-safe.
 */
final class SharedRecords extends ReceivedRecords {
    private static final int REMEMBERED = 10_000;

    private final Map<RecordId, HeldRecord> inHand = new HashMap<>();
    /** Completed here, but the broker has not taken the acknowledgement, and delivers them again; oldest first. */
    private final Set<RecordId> unacknowledged = new LinkedHashSet<>();

    private int claimed;

    /** Identifies a record; by the timestamp also in a topic that was created again. */
    record RecordId(int partition, long offset, long timestamp) {
        static RecordId of(ConsumerRecord<byte[], byte[]> received) {
            return new RecordId(received.partition(), received.offset(), received.timestamp());
        }
    }

    SharedRecords(KafkaSourceBuilder built, IntSupplier capacity) {
        super(built, capacity);
    }

    /** Claims capacity for a batch, whose last records may have to wait for some; false if there is none. */
    synchronized boolean claim(int batch) {
        boolean isFree = free() > 0;
        claimed += isFree ? batch : 0;
        return isFree;
    }

    /** How many more the flow could process than what is received or claimed; 0 or more. */
    synchronized int free() {
        return stop.isAsked() || isFull(claimed) ? 0 : Math.max(0, prefetchWindow.available() - ready.size() - claimed);
    }

    synchronized void unclaim(int batch) {
        claimed -= batch;
        notify();
    }

    /** Waits until there is capacity, but not longer than this. */
    synchronized void awaitCapacity(Duration most) throws InterruptedException {
        long until = Ticker.SYSTEM.nanos() + most.toNanos();
        while (free() == 0 && Ticker.SYSTEM.nanos() - until < 0) {
            wait(Math.max(1, (until - Ticker.SYSTEM.nanos()) / 1_000_000));
        }
    }

    /**
     * A member has received a record. Returns false if it was completed before: then it only has to be acknowledged. One that is
     * processed already, since an earlier delivery, continues, and this member acknowledges it.
     */
    synchronized boolean add(ConsumerRecord<byte[], byte[]> received, ShareMember member) {
        RecordId id = RecordId.of(received);
        HeldRecord known = inHand.get(id);
        if (known != null) {
            known.delivery = member;
            return true;
        }
        if (unacknowledged.remove(id)) {
            counts.recognised.increment();
            return false;
        }
        int before = Math.max(0, received.deliveryCount().orElse((short) 1) - 1);
        HeldRecord held = new HeldRecord(received, member, new Attempts(before, before > 0), false);
        inHand.put(id, held);
        received(held);
        ready.add(held);
        return true;
    }

    /** Whether another member received a record after this one. */
    synchronized boolean isElsewhere(RecordId id, ShareMember member) {
        HeldRecord held = inHand.get(id);
        return held != null && held.delivery != member;
    }

    @Override
    synchronized @Nullable HeldRecord next() {
        if (ready.isEmpty() || prefetchWindow.available() == 0) {
            return null;
        }
        prefetchWindow.take();
        return ready.remove();
    }

    /** One without a key stays here: redelivered, it could not be told from one that may have taken effect. */
    @Override
    void ended(HeldRecord held, boolean isCompleted) {
        ShareMember member = (ShareMember) held.delivery;
        synchronized (this) {
            prefetchWindow.release();
            notify();
            if (!isCompleted && !member.stop.isAsked() && !built.isRepeatable(held.read())) {
                ready.add(held);
                return;
            }
            inHand.remove(RecordId.of(held.received));
            left(held, isCompleted);
            member = (ShareMember) held.delivery; // another one may have received it meanwhile
        }
        member.ended(held, isCompleted ? AcknowledgeType.ACCEPT : AcknowledgeType.RELEASE);
    }

    /** Gives back the records of a member that are not processed yet. */
    void giveBack(ShareMember member) {
        List<HeldRecord> its;
        synchronized (this) {
            its = ready.stream().filter(held -> held.delivery == member).toList();
            ready.removeAll(its);
            inHand.values().removeAll(its);
            its.forEach(held -> left(held, false));
        }
        its.forEach(held -> member.ended(held, AcknowledgeType.RELEASE));
    }

    /** A completed record cannot be acknowledged, so it is delivered again. */
    synchronized void notAcknowledged(RecordId id) {
        unacknowledged.add(id);
        if (unacknowledged.size() > REMEMBERED) {
            unacknowledged.remove(unacknowledged.iterator().next());
        }
    }
}
