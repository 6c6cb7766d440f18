package dev.penstock.lab.datagram;

import java.util.ArrayList;
import java.util.List;

/** The lost numbers as ranges, limited to the first ones. For one thread. */
final class Losses {
    /** The maximum number of ranges kept. */
    static final int MAX = 1_000;

    private final List<Loss> ranges = new ArrayList<>();
    private long first = -1;
    private long last = -1;
    private long count;

    /** Records a lost number, in ascending order. */
    void add(long number) {
        count++;
        if (first >= 0 && number == last + 1) {
            last = number;
            return;
        }
        close();
        first = number;
        last = number;
    }

    private void close() {
        if (first >= 0 && ranges.size() < MAX) {
            ranges.add(new Loss(first, last));
        }
    }

    long count() {
        return count;
    }

    /** The first {@value #MAX} ranges. */
    List<Loss> ranges() {
        List<Loss> all = new ArrayList<>(ranges);
        if (first >= 0 && all.size() < MAX) {
            all.add(new Loss(first, last));
        }
        return List.copyOf(all);
    }
}
