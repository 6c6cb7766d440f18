package dev.penstock.lab.simulate;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Records which transaction ids were received and which took effect, up to a maximum number; 32 to 64 bytes per id.
 * <h2>Design note</h2>
 *
 * <p>Stores the first 126 bits of an id's SHA-256 in an open-addressing hash table: the probability that any two of
 * two million ids collide is below 1e-25, and a table that grows by doubling needs a fifth of the memory of a map
 * of strings.
 *
 * <p>For one thread at a time.
 */
final class ReceivedIds {
    /** The state of a received id. */
    enum Seen {
        /** Never received before. */
        FIRST,
        /** Received before. */
        AGAIN,
        /** Unknown: not recorded, and the table is full. */
        FULL
    }

    private static final long APPLIED = 1;

    private final int most;
    private final MessageDigest digest;
    /** Pairs of longs: the lowest bit of the first tells whether the id took effect; two zeros mark an empty slot. */
    private long[] table = new long[2 * 1024];

    private int size;
    private long applied;
    private long high;
    private long low;

    ReceivedIds(int most) {
        this.most = most;
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK lacks SHA-256, which every JDK must have", e);
        }
    }

    /**
     * Records a received id.
     *
     * @param id the transaction's id
     * @param applies whether the transaction takes effect with this request, if it has not before
     */
    Seen receive(String id, boolean applies) {
        hash(id);
        int slot = slot(table, high, low);
        boolean known = table[slot + 1] != 0;
        if (!known && size >= most) {
            return Seen.FULL;
        }
        if (!known) {
            table[slot] = high;
            table[slot + 1] = low;
            size++;
        }
        if (applies && (table[slot] & APPLIED) == 0) {
            table[slot] |= APPLIED;
            applied++;
        }
        if (2 * size >= table.length / 2) {
            grow();
        }
        return known ? Seen.AGAIN : Seen.FIRST;
    }

    /** The number of different ids recorded. */
    int size() {
        return size;
    }

    /** The number of them that took effect. */
    long applied() {
        return applied;
    }

    private void hash(String id) {
        ByteBuffer bytes = ByteBuffer.wrap(digest.digest(id.getBytes(StandardCharsets.UTF_8)));
        high = bytes.getLong() & ~APPLIED;
        low = Math.max(1, bytes.getLong() >>> 1); // never 0, which marks an empty slot
    }

    private static int slot(long[] table, long high, long low) {
        int mask = table.length / 2 - 1;
        int i = (int) low & mask;
        while (table[2 * i + 1] != 0 && (table[2 * i + 1] != low || (table[2 * i] & ~APPLIED) != high)) {
            i = (i + 1) & mask;
        }
        return 2 * i;
    }

    private void grow() {
        long[] larger = new long[table.length * 2];
        for (int i = 0; i < table.length; i += 2) {
            if (table[i + 1] != 0) {
                int slot = slot(larger, table[i] & ~APPLIED, table[i + 1]);
                larger[slot] = table[i];
                larger[slot + 1] = table[i + 1];
            }
        }
        table = larger;
    }
}
