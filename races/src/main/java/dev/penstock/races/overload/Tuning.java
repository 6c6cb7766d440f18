package dev.penstock.races.overload;

import java.time.Duration;
import java.util.List;

/**
 * Manual settings of a bulkhead.
 *
 * @param most maximum concurrent calls
 * @param maxWait maximum wait for admission; 0 for none
 */
record Tuning(int most, Duration maxWait) {
    /** resilience4j's defaults. */
    static final Tuning DEFAULT = new Tuning(25, Duration.ZERO);

    private static final List<Integer> MAX_CONCURRENCIES = List.of(25, 50, 100, 200, 400);
    private static final List<Integer> WAIT_MILLIS = List.of(0, 250, 500);

    /** The settings tried by a sweep, 15 in all. */
    static List<Tuning> all() {
        return MAX_CONCURRENCIES.stream()
                .flatMap(most -> WAIT_MILLIS.stream().map(wait -> new Tuning(most, Duration.ofMillis(wait))))
                .toList();
    }
}
