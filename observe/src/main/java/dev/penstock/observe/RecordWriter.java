package dev.penstock.observe;

import dev.penstock.supervise.Part;
import dev.penstock.supervise.Supervisor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Writes records on one thread, from a bounded queue. A full queue drops records: no transaction waits. Thread-safe. */
final class RecordWriter implements AutoCloseable {
    /** Where records are written. */
    interface Destination {
        /** Writes whole lines; returns false when they are lost. */
        boolean write(byte[] lines);
    }

    /** The most records in the queue, a few MB. */
    static final int QUEUE = 4_096;

    private static final int MOST_AT_ONCE = 512;
    private static final Duration LAST_RECORDS = Duration.ofSeconds(2);

    private record Line(@Nullable FlowRecords flow, String json) {}

    private static final Line END = new Line(null, "");

    private final BlockingQueue<Line> queue = new ArrayBlockingQueue<>(QUEUE);
    private final Destination destination;
    private final Part part;
    private final Thread thread;

    /** @param where the file or stream, for the log */
    RecordWriter(Destination destination, String where) {
        this.destination = destination;
        this.part = Supervisor.current().part("transaction-records", where);
        this.thread = part.start(Thread.ofPlatform().daemon().name("penstock-transaction-records"), this::run);
    }

    void add(FlowRecords flow, String json) {
        if (!queue.offer(new Line(flow, json))) {
            flow.dropped.increment();
        }
    }

    private void run() throws InterruptedException {
        List<Line> lines = new ArrayList<>();
        while (!lines.contains(END)) {
            lines.clear();
            lines.add(queue.take());
            queue.drainTo(lines, MOST_AT_ONCE - 1);
            write(lines);
        }
    }

    private void write(List<Line> lines) {
        StringBuilder all = new StringBuilder();
        lines.stream()
                .filter(line -> line.flow != null)
                .forEach(line -> all.append(line.json).append('\n'));
        boolean written = all.isEmpty() || destination.write(all.toString().getBytes(StandardCharsets.UTF_8));
        for (Line line : lines) {
            if (line.flow != null) {
                LongAdder count = written ? line.flow.written : line.flow.unwritable;
                count.increment();
            }
        }
    }

    /** Writes what is in the queue, and waits up to 2 s for that. */
    @Override
    public void close() {
        try {
            if (queue.offer(END, LAST_RECORDS.toNanos(), TimeUnit.NANOSECONDS)) {
                thread.join(LAST_RECORDS);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        part.close();
    }
}
