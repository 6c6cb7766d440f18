package dev.penstock.lab.simulate;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Remembers which transaction ids were received and which took effect, for up to a bounded number of them; 32 to 64 bytes
 * of memory for each.
 *
 * <h2>Design note</h2>
 *
 * <p>It keeps the first 126 bits of an id's SHA-256 in an open-addressed table in place of the id: two of two million ids
 * fall together with a chance below 1e-25, and a table that grows by doubling costs a fifth of a map of strings.
 *
 * <p>For one thread at a time.
 */
final class ReceivedIds {
    /** What is known of an id that was just received. */
    enum Seen {
        /** Never received before. */
        FIRST,
        /** Received before. */
        AGAIN,
        /** Not among those remembered, and there is no room for more: it may be either. */
        NO_ROOM
    }

    private static final long APPLIED = 1;

    private final int most;
    private final MessageDigest digest;
    /** Pairs: the lowest bit of the first says whether it took effect; a pair of zeros is an empty place. */
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
     * Notes that an id was received.
     *
     * @param id the transaction's id
     * @param applies whether this receipt makes the transaction take effect, if nothing did before
     */
    Seen receive(String id, boolean applies) {
        hash(id);
        int place = place(table, high, low);
        boolean known = table[place + 1] != 0;
        if (!known && size >= most) {
            return Seen.NO_ROOM;
        }
        if (!known) {
            table[place] = high;
            table[place + 1] = low;
            size++;
        }
        if (applies && (table[place] & APPLIED) == 0) {
            table[place] |= APPLIED;
            applied++;
        }
        if (2 * size >= table.length / 2) {
            grow();
        }
        return known ? Seen.AGAIN : Seen.FIRST;
    }

    /** How many different ids are remembered. */
    int size() {
        return size;
    }

    /** How many of them took effect. */
    long applied() {
        return applied;
    }

    private void hash(String id) {
        ByteBuffer bytes = ByteBuffer.wrap(digest.digest(id.getBytes(StandardCharsets.UTF_8)));
        high = bytes.getLong() & ~APPLIED;
        low = Math.max(1, bytes.getLong() >>> 1); // never 0: that marks an empty place
    }

    private static int place(long[] table, long high, long low) {
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
                int place = place(larger, table[i] & ~APPLIED, table[i + 1]);
                larger[place] = table[i];
                larger[place + 1] = table[i + 1];
            }
        }
        table = larger;
    }
}
