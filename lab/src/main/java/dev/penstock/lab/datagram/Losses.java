package dev.penstock.lab.datagram;

import java.util.ArrayList;
import java.util.List;

/** Which numbers were lost, the first stretches of them one by one. For one thread. */
final class Losses {
    /** How many stretches are kept. */
    static final int MOST = 1_000;

    private final List<Loss> stretches = new ArrayList<>();
    private long first = -1;
    private long last = -1;
    private long count;

    /** One was lost. Numbers rise. */
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
        if (first >= 0 && stretches.size() < MOST) {
            stretches.add(new Loss(first, last));
        }
    }

    long count() {
        return count;
    }

    /** The first {@value #MOST} of them. */
    List<Loss> stretches() {
        List<Loss> all = new ArrayList<>(stretches);
        if (first >= 0 && all.size() < MOST) {
            all.add(new Loss(first, last));
        }
        return List.copyOf(all);
    }
}
