package dev.penstock.races.kafkaflow;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * What the handlers of killed processes did, in order: a file to which each appends. An entry is one write, so it outlives its
 * process. Records are numbered from 0. For one thread.
 */
final class EffectLog implements AutoCloseable {
    private final DataInputStream file;
    private final BitSet begun = new BitSet();
    private final BitSet done = new BitSet();
    private final BitSet open = new BitSet();
    /** In a handler at a kill, and not begun again since. */
    private final BitSet interrupted = new BitSet();

    private BitSet openAtKill = new BitSet();
    /** How many have taken effect once those that were in a handler at the last kill have. */
    private int expected;

    private int kills;
    private int duplicates;
    private int redelivered;
    private int beyondInFlight;

    EffectLog(Path file) throws IOException {
        this.file = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
    }

    /** The entry of a record whose handler begins. */
    static byte[] beginning(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    /** The entry of a record that takes effect. */
    static byte[] effect(int number) {
        return beginning(~number);
    }

    /** Reads what was appended since. */
    void read() throws IOException {
        while (file.available() >= Integer.BYTES) {
            int entry = file.readInt();
            if (entry < 0) {
                ended(~entry);
            } else {
                began(entry);
            }
        }
    }

    private void began(int number) {
        if (begun.get(number)) {
            redelivered++;
            beyondInFlight += interrupted.get(number) ? 0 : 1;
        }
        begun.set(number);
        open.set(number);
        interrupted.clear(number);
    }

    private void ended(int number) {
        duplicates += done.get(number) ? 1 : 0;
        done.set(number);
        open.clear(number);
    }

    /** A process is being killed: what is in a handler may be redelivered. */
    void interrupt() {
        interrupted.or(open);
    }

    /** A process was killed. */
    void killed() {
        interrupt();
        openAtKill = (BitSet) open.clone();
        openAtKill.andNot(done);
        expected = done.cardinality() + openAtKill.cardinality();
        kills++;
    }

    /** Whether all records that were in a handler at the last kill have taken effect, and others too. */
    boolean isRecovered() {
        openAtKill.andNot(done);
        return openAtKill.isEmpty() && done() > expected;
    }

    boolean isDone(int number) {
        return done.get(number);
    }

    /** The number of records that have taken effect. */
    int done() {
        return done.cardinality();
    }

    /**
     * The result.
     *
     * @param isLeft whether a record is still in the topic for another consumer
     */
    Map<String, Double> metrics(int sent, IntPredicate isLeft) {
        int lost = 0;
        for (int number = done.nextClearBit(0); number < sent; number = done.nextClearBit(number + 1)) {
            lost += isLeft.test(number) ? 0 : 1;
        }
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("kills", (double) kills);
        metrics.put("count", (double) sent);
        metrics.put("lost", (double) lost);
        metrics.put("duplicates", (double) duplicates);
        metrics.put("redelivered", (double) redelivered);
        metrics.put("beyond_in_flight", (double) beyondInFlight);
        return metrics;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
