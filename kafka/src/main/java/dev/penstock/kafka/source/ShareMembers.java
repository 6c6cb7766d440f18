package dev.penstock.kafka.source;

import dev.penstock.source.SourceHealth;
import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The members of a share group that a source has. There is one more for each that waits long for records in process while the
 * flow could process more, so that a slow record, or one that waits for its next attempt, holds up no other. A new member takes
 * 5 s to join: a heartbeat, by default. Thread-safe.
 */
final class ShareMembers implements KafkaSource.Receiver {
    /** A broker allows 200 members of a group by default, of all gateways. */
    static final int MOST = 32;

    private static final int SMALLEST_BATCH = 8;
    private static final int LARGEST_BATCH = 100;

    final SharedRecords records;
    final RecordHandling<?> handling;
    final SourceHealth health;
    private final Supervisor supervisor = Supervisor.current();
    private final AtomicInteger slow = new AtomicInteger();
    private final List<PollLoop> loops = new ArrayList<>();
    private volatile int count;
    /** Before the start none are added. */
    private volatile int atStart = Integer.MIN_VALUE;

    private boolean closed;

    ShareMembers(SharedRecords records, RecordHandling<?> handling, SourceHealth health) {
        this.records = records;
        this.handling = handling;
        this.health = health;
    }

    @Override
    public synchronized void start() throws IOException {
        if (count > 0) {
            throw new IllegalStateException("the source was started already");
        }
        newLoop().start();
        for (int free = records.free() - batch(); free > 0 && count < MOST; free -= batch()) {
            newLoop().startUnasked();
        }
        atStart = count;
    }

    private PollLoop newLoop() {
        Part part = supervisor.part("kafka-consumer", records.built.where());
        PollLoop loop = new PollLoop(records, () -> new ShareMember(this, batch()), health, part);
        loops.add(loop);
        count = loops.size();
        return loop;
    }

    /** The more the flow processes, the larger the batches: then few members suffice, and no gateway takes much more than it can. */
    private int batch() {
        int capacity = records.prefetchWindow.available() + records.prefetchWindow.inFlight();
        return Math.clamp(capacity / SMALLEST_BATCH, SMALLEST_BATCH, LARGEST_BATCH);
    }

    /** The number of members with a batch that takes long has changed. */
    void slow(int change) {
        slow.addAndGet(change);
    }

    /**
     * Adds members for those with a batch that takes long, as many as could receive what the flow could process. Not only when
     * all are slow: each member receives from some partitions, and others may have no records.
     */
    void addForSlow() {
        if (isShort() && records.free() > 0) {
            add();
        }
    }

    private boolean isShort() {
        return count < MOST && count - slow.get() < atStart;
    }

    private synchronized void add() {
        for (int free = records.free(); free > 0 && !closed && isShort(); free -= batch()) {
            newLoop().startUnasked();
        }
    }

    @Override
    public void close() {
        List<PollLoop> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(loops);
        }
        try (ExecutorService together = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("penstock-kafka-close-", 0).factory())) {
            all.forEach(loop -> together.execute(loop::close));
        }
    }
}
