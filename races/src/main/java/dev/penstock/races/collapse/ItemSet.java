package dev.penstock.races.collapse;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** A set of received items as bitmaps, with the number of duplicates. Thread-safe. */
final class ItemSet {
    /** Bits per page: 8 kB, so that a run of millions needs few pages and a short one little memory. */
    private static final int PAGE = 1 << 16;

    private final ConcurrentHashMap<Long, AtomicLongArray> pages = new ConcurrentHashMap<>();
    private final LongAdder size = new LongAdder();
    private final LongAdder duplicates = new LongAdder();

    /**
     * Adds an item.
     *
     * @param item 0 or more
     * @throws IllegalArgumentException when out of range
     */
    void add(long item) {
        if (item < 0) {
            throw new IllegalArgumentException("an item must be 0 or more, not " + item);
        }
        AtomicLongArray page = pages.get(item / PAGE);
        if (page == null) {
            page = pages.computeIfAbsent(item / PAGE, _ -> new AtomicLongArray(PAGE / Long.SIZE));
        }
        long bit = 1L << (item % Long.SIZE);
        long before = page.getAndAccumulate((int) (item % PAGE / Long.SIZE), bit, (word, one) -> word | one);
        ((before & bit) == 0 ? size : duplicates).increment();
    }

    /** The number of different items. */
    long size() {
        return size.sum();
    }

    /** The number of items received before. */
    long duplicates() {
        return duplicates.sum();
    }
}
