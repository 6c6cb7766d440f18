package dev.penstock.races.collapse;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** Which items have come, a bit for each, and how many of them came once more. Safe for many threads. */
final class ItemSet {
    /** Bits of a page: 8 kB, so that a run of millions needs few pages and a short one little memory. */
    private static final int PAGE = 1 << 16;

    private final ConcurrentHashMap<Long, AtomicLongArray> pages = new ConcurrentHashMap<>();
    private final LongAdder size = new LongAdder();
    private final LongAdder duplicates = new LongAdder();

    /**
     * Takes an item in.
     *
     * @param item 0 or more
     * @throws IllegalArgumentException when out of range
     */
    void add(long item) {
        if (item < 0) {
            throw new IllegalArgumentException("an item is 0 or more, not " + item);
        }
        AtomicLongArray page = pages.get(item / PAGE);
        if (page == null) {
            page = pages.computeIfAbsent(item / PAGE, _ -> new AtomicLongArray(PAGE / Long.SIZE));
        }
        long bit = 1L << (item % Long.SIZE);
        long before = page.getAndAccumulate((int) (item % PAGE / Long.SIZE), bit, (word, one) -> word | one);
        ((before & bit) == 0 ? size : duplicates).increment();
    }

    /** How many different ones. */
    long size() {
        return size.sum();
    }

    /** How many came that had come before. */
    long duplicates() {
        return duplicates.sum();
    }
}
