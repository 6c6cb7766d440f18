package dev.penstock.gateway.callers;

import dev.penstock.Prioritized;
import dev.penstock.gateway.config.CallersConfig;
import dev.penstock.gateway.config.Configured;
import dev.penstock.text.Rates;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who sends a request, and its share. The same name is the same caller, however it was found.
 *
 * @param rate requests per second; 0 for no limit
 * @param burst requests at once after a pause; 0 for those of one second
 * @param concurrency requests in progress; 0 for no limit
 * @param priority the urgency of its requests, and the most urgent that they may ask for; negative if they may ask for any
 */
record Caller(String name, double rate, int burst, int concurrency, int priority) {
    /** A caller without a name, and without limits. */
    static final Caller ANY = new Caller("any", 0, 0, 0, -1);

    private static final Set<String> LIMITS = Set.of("rate", "burst", "concurrency", "priority");
    private static final int MOST = CallersConfig.MOST;
    private static final int LONGEST_NAME = 128;

    /** A caller without a name, with the limits of a flow. */
    static Caller any(@Nullable CallersConfig config) {
        return config == null
                ? ANY
                : new Caller(
                        ANY.name,
                        value(config.rate(), 0.0),
                        value(config.burst(), 0),
                        value(config.concurrency(), 0),
                        config.priority().value());
    }

    private static <T> T value(@Nullable Configured<T> given, T otherwise) {
        return given == null ? otherwise : given.value();
    }

    /** Whether a text can be a name, which is sent in a header and shown in metrics: visible ASCII characters. */
    static boolean isName(String text) {
        return !text.isEmpty() && text.length() <= LONGEST_NAME && text.chars().allMatch(c -> c > ' ' && c <= '~');
    }

    /** The caller of this name with the same limits. */
    Caller named(String other) {
        return new Caller(other, rate, burst, concurrency, priority);
    }

    /**
     * The same caller with other limits, for instance {@code rate=100/s}.
     *
     * @throws IllegalArgumentException one is unknown or out of range; the message says what to do
     */
    Caller with(List<String> limits) {
        Map<String, String> given = new HashMap<>();
        limits.forEach(limit -> given.put(limit.replaceFirst("=.*", ""), limit.replaceFirst("[^=]*=", "")));
        if (!LIMITS.containsAll(given.keySet())) {
            throw new IllegalArgumentException(
                    "has an unknown limit; write for instance rate=100/s burst=200 concurrency=20 priority=3");
        }
        double otherRate = given.containsKey("rate") ? Rates.parse(given.get("rate")) : rate;
        if (given.containsKey("rate") && otherRate < CallersConfig.LEAST_RATE) {
            throw new IllegalArgumentException("has too low a rate; write 0.01/s or more");
        }
        return new Caller(
                name,
                otherRate,
                // A burst is for its rate.
                number(given.get("burst"), 1, MOST, given.containsKey("rate") ? 0 : burst),
                number(given.get("concurrency"), 1, MOST, concurrency),
                number(given.get("priority"), 0, Prioritized.LEAST_URGENT, priority));
    }

    private static int number(@Nullable String text, int least, int most, int otherwise) {
        int number = text == null ? otherwise : text.matches("\\d{1,7}") ? Integer.parseInt(text) : -1;
        if (text != null && (number < least || number > most)) {
            throw new IllegalArgumentException("has a limit out of range; write " + least + " to " + most);
        }
        return number;
    }

    /** How many requests it may send at once after a pause. */
    int atOnce() {
        return burst > 0 ? burst : Math.max(1, (int) Math.ceil(rate));
    }
}
