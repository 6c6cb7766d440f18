package dev.penstock.kafka.source;

import dev.penstock.Ticker;
import dev.penstock.kafka.source.CommitMetadata.Attempts;
import dev.penstock.source.PrefetchWindow;
import dev.penstock.source.SourceStop;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * The records of all members of a share group that this source has. A member asks here before it receives a batch. All records
 * received are processed, also after the stop, since a delivery that does not end is counted by the broker. Thread-safe.
 */
final class SharedRecords implements ReceivedRecords {
    private static final int REMEMBERED = 10_000;

    private final PrefetchWindow prefetchWindow;
    private final KafkaSourceCounts counts;
    private final SourceStop stop;
    private final KafkaSourceBuilder built;
    private final Map<RecordId, HeldRecord> inHand = new HashMap<>();
    private final Deque<HeldRecord> ready = new ArrayDeque<>();
    /** Completed here, but the broker has not taken the acknowledgement, and delivers them again; oldest first. */
    private final Set<RecordId> unacknowledged = new LinkedHashSet<>();

    private int claimed;
    private long bytes;

    /**
     * What identifies a record of the topic.
     *
     * @param timestamp distinguishes records of a topic that was created again
     */
    record RecordId(int partition, long offset, long timestamp) {
        static RecordId of(ConsumerRecord<byte[], byte[]> received) {
            return new RecordId(received.partition(), received.offset(), received.timestamp());
        }
    }

    SharedRecords(KafkaSourceBuilder built, PrefetchWindow prefetchWindow, SourceStop stop, KafkaSourceCounts counts) {
        this.built = built;
        this.prefetchWindow = prefetchWindow;
        this.stop = stop;
        this.counts = counts;
    }

    /** Claims capacity for a batch, whose last records may have to wait for some; false if there is none. */
    synchronized boolean claim(int batch) {
        boolean isFree = free() > 0;
        claimed += isFree ? batch : 0;
        return isFree;
    }

    /** How many more the flow could process than what is received or claimed; 0 or more. */
    synchronized int free() {
        boolean isFull = inHand.size() + claimed >= built.bufferRecords || bytes >= built.bufferBytes;
        return stop.isAsked() || isFull ? 0 : Math.max(0, prefetchWindow.available() - ready.size() - claimed);
    }

    /** Returns a claim. */
    synchronized void unclaim(int batch) {
        claimed -= batch;
        notify();
    }

    /** Whether the source receives no more. */
    boolean isStopped() {
        return stop.isAsked();
    }

    /** Waits until there is capacity, but not beyond a time. */
    synchronized void awaitCapacity(Ticker ticker, long until) throws InterruptedException {
        for (long left = until - ticker.nanos(); left > 0 && free() == 0; left = until - ticker.nanos()) {
            wait(left / 1_000_000 + 1);
        }
    }

    /**
     * A member has received a record. One that is processed already, since an earlier delivery, continues, and this member
     * acknowledges it.
     *
     * @return false for one that was completed before: it only has to be acknowledged
     */
    synchronized boolean add(ConsumerRecord<byte[], byte[]> received, ShareMember member) {
        RecordId id = RecordId.of(received);
        HeldRecord known = inHand.get(id);
        if (known != null) {
            known.delivery(member);
            return true;
        }
        if (unacknowledged.remove(id)) {
            counts.recognised.increment();
            return false;
        }
        int before = Math.max(0, received.deliveryCount().orElse((short) 1) - 1);
        HeldRecord held = new HeldRecord(received, member, new Attempts(before, before > 0), false);
        inHand.put(id, held);
        bytes += held.bytes();
        counts.received.increment();
        ready.add(held);
        return true;
    }

    /** Whether another member received a record after this one. */
    synchronized boolean isElsewhere(RecordId id, ShareMember member) {
        HeldRecord held = inHand.get(id);
        return held != null && held.delivery() != member;
    }

    @Override
    public synchronized @Nullable HeldRecord next() {
        if (ready.isEmpty() || prefetchWindow.available() == 0) {
            return null;
        }
        prefetchWindow.take();
        return ready.remove();
    }

    /** One without a key stays here: redelivered, it could not be told from one that may have taken effect. */
    @Override
    public void ended(HeldRecord held, boolean isCompleted) {
        ShareMember member = (ShareMember) held.delivery();
        synchronized (this) {
            prefetchWindow.release();
            notify();
            if (!isCompleted && !member.stop.isAsked() && !held.isKeyed(built.key)) {
                ready.add(held);
                return;
            }
            left(held);
            (isCompleted ? counts.completed : counts.givenBack).increment();
            member = (ShareMember) held.delivery(); // another one may have received it meanwhile
        }
        member.ended(held, isCompleted ? AcknowledgeType.ACCEPT : AcknowledgeType.RELEASE);
    }

    /** Gives back the records of a member that are not processed yet. */
    void giveBack(ShareMember member) {
        List<HeldRecord> its;
        synchronized (this) {
            its = ready.stream().filter(held -> held.delivery() == member).toList();
            ready.removeAll(its);
            its.forEach(this::left);
        }
        counts.givenBack.add(its.size());
        its.forEach(held -> member.ended(held, AcknowledgeType.RELEASE));
    }

    private void left(HeldRecord held) {
        inHand.remove(RecordId.of(held.received()));
        bytes -= held.bytes();
    }

    /** A completed record cannot be acknowledged, so it is delivered again. */
    synchronized void notAcknowledged(RecordId id) {
        unacknowledged.add(id);
        if (unacknowledged.size() > REMEMBERED) {
            unacknowledged.remove(unacknowledged.iterator().next());
        }
    }

    @Override
    public synchronized int size() {
        return inHand.size();
    }
}
