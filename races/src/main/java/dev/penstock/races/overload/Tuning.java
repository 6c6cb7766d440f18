package dev.penstock.races.overload;

import java.time.Duration;
import java.util.List;

/**
 * What someone sets by hand on a bulkhead.
 *
 * @param most how many it lets in at once
 * @param patience how long each may wait for that; 0 lets nobody wait
 */
record Tuning(int most, Duration patience) {
    /** resilience4j's defaults. */
    static final Tuning DEFAULT = new Tuning(25, Duration.ZERO);

    private static final List<Integer> MOSTS = List.of(25, 50, 100, 200, 400);
    private static final List<Integer> WAIT_MILLIS = List.of(0, 250, 500);

    /** What a sweep tries, 15 in all. */
    static List<Tuning> all() {
        return MOSTS.stream()
                .flatMap(most -> WAIT_MILLIS.stream().map(wait -> new Tuning(most, Duration.ofMillis(wait))))
                .toList();
    }
}
