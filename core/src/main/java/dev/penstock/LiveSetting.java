package dev.penstock;

import dev.penstock.Setting.Origin;
import dev.penstock.Setting.Pin;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A setting whose value changes at run time: its origin is "default" until the value changes and "learned" from then on,
 * unless a person pins it.
 *
 * <p>A change is noticed when the setting is read, so "since" is the time at which the value was first read. This costs
 * nothing on the path of a transaction.
 *
 * <p>Thread-safe.
 */
public final class LiveSetting {
    private static final Pattern PLAIN = Pattern.compile("[ -~]{1,40}");

    /**
     * The current state of the setting.
     *
     * @param value the formatted value
     * @param range the allowed values
     * @param reason one sentence
     * @param pinned whether the value was set by a person
     */
    public record Now(String value, String range, String reason, boolean pinned) {}

    /**
     * Changes a value at run time.
     *
     * @param pin fixes the value until it is unpinned, as written by a person; throws {@link IllegalArgumentException} when it
     *     cannot be parsed or is out of range, and has changed nothing then. Must be thread-safe
     * @param unpin releases the value: an adaptive value adapts again, starting from the pinned one; a configured value is
     *     restored. Must be thread-safe
     * @param example an example value such as {@code 200ms}; empty when the range already shows the format
     */
    public record Knob(Consumer<String> pin, Runnable unpin, String example) {
        /**
         * {@return a knob for an integer}
         *
         * @param pin null unpins it
         */
        public static Knob ofCount(Consumer<@Nullable Integer> pin) {
            return new Knob(value -> pin.accept(Integer.valueOf(value)), () -> pin.accept(null), "");
        }

        /**
         * {@return a knob for a duration} It accepts the display format ({@code 250 ms}) and the file format ({@code 250ms}).
         *
         * @param longest the upper bound; the lower one is 0
         * @param pin null unpins it
         */
        public static Knob ofTime(Duration longest, Consumer<@Nullable Duration> pin) {
            return new Knob(
                    value -> {
                        Duration time = Durations.parse(value.replace(" ", "").replace("min", "m"));
                        if (time.compareTo(longest) > 0) {
                            throw new IllegalArgumentException("at most " + Durations.format(longest));
                        }
                        pin.accept(time);
                    },
                    () -> pin.accept(null),
                    "200ms");
        }
    }

    private final String name;
    private final Supplier<Now> now;
    private final @Nullable Knob knob;
    private final InstantSource wallClock;
    private @Nullable String seen;
    private Instant since;
    private Origin origin;
    private @Nullable String pinnedBy;

    /**
     * A setting that cannot be pinned.
     *
     * @param name dotted and unique within its flow
     * @param now supplies the current state; must be thread-safe
     * @param wallClock the clock for {@link Setting#since()}
     */
    public LiveSetting(String name, Supplier<Now> now, InstantSource wallClock) {
        this(name, now, null, wallClock, Origin.DEFAULT);
    }

    /**
     * A setting that can be pinned.
     *
     * @param name dotted and unique within its flow
     * @param now supplies the current state; must be thread-safe
     * @param knob changes the value; null when it cannot be pinned
     * @param wallClock the clock for {@link Setting#since()}
     * @param first the origin of the first value, which an earlier process may have learned
     */
    public LiveSetting(String name, Supplier<Now> now, @Nullable Knob knob, InstantSource wallClock, Origin first) {
        this.origin = first;
        this.name = name;
        this.now = now;
        this.knob = knob;
        this.wallClock = wallClock;
        this.since = wallClock.instant();
        setting();
    }

    /** {@return the name of the setting} */
    public String name() {
        return name;
    }

    /**
     * Fixes the value until it is unpinned.
     *
     * @param value as written in the flow file, for instance {@code 100} or {@code 200ms}
     * @param by who pins it, in one or two words; becomes part of the setting's reason
     * @return the setting after the change
     * @throws IllegalArgumentException when the setting cannot be pinned or the value is invalid; the message is one line
     *     that says what to do
     */
    public synchronized Setting pin(String value, String by) {
        Knob changer = knob;
        if (changer == null) {
            throw new IllegalArgumentException(name + " cannot be pinned at run time; set it in the flow file");
        }
        try {
            changer.pin().accept(value.strip());
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "%s: give %s%s, not %s".formatted(name, now.get().range(), example(changer), shown(value)), wrong);
        }
        seen = null;
        since = wallClock.instant();
        pinnedBy = "pinned by " + by + " at " + since.truncatedTo(ChronoUnit.SECONDS);
        return setting();
    }

    private static String example(Knob knob) {
        return knob.example().isEmpty() ? "" : ", such as " + knob.example();
    }

    /** The value is untrusted input that ends up in logs. */
    private static String shown(String value) {
        if (value.isBlank()) {
            return "nothing";
        }
        return PLAIN.matcher(value).matches() ? value : "that";
    }

    /**
     * Unpins the value. Does nothing when it is not pinned, or cannot be.
     *
     * @return the setting after the change
     */
    public synchronized Setting unpin() {
        if (knob != null && pinnedBy != null) {
            knob.unpin().run();
            pinnedBy = null;
            seen = null;
            since = wallClock.instant();
            origin = Origin.LEARNED;
        }
        return setting();
    }

    /** {@return the current setting} */
    public synchronized Setting setting() {
        Now is = now.get();
        String by = pinnedBy;
        if (by != null) {
            return new Setting(name, is.value(), is.range(), by, since, Origin.PINNED, Pin.ON);
        }
        if (seen != null && !seen.equals(is.value())) {
            since = wallClock.instant();
            origin = Origin.LEARNED;
        }
        seen = is.value();
        Origin from = is.pinned() ? Origin.PINNED : origin;
        return new Setting(name, is.value(), is.range(), is.reason(), since, from, knob == null ? Pin.NEVER : Pin.OFF);
    }
}
