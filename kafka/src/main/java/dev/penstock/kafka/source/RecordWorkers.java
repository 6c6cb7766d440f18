package dev.penstock.kafka.source;

import dev.penstock.supervise.Part;

/** Starts a virtual thread for each record that may start. Thread-safe. */
record RecordWorkers(ReceivedRecords records, RecordHandling<?> handling, Part part) {
    /** Starts all records for which the flow has capacity. */
    void startReady() {
        for (HeldRecord held = records.next(); held != null; held = records.next()) {
            start(held);
        }
    }

    private void start(HeldRecord held) {
        try {
            Thread.ofVirtual().name("penstock-kafka-record").start(() -> run(held));
        } catch (Throwable noThread) {
            records.tried(held, false);
            records.ended(held, false);
            throw noThread;
        }
    }

    private void run(HeldRecord held) {
        boolean isCompleted = false;
        try {
            isCompleted = handling.handle(held);
        } catch (Throwable broken) { // also an Error: the record is not lost, and others are processed
            part.failedOnce("record " + held.id() + " is tried again", broken);
        } finally {
            records.ended(held, isCompleted);
        }
        try {
            startReady();
        } catch (Throwable failed) {
            part.failedOnce("the poll thread starts the next record", failed);
        }
    }
}
