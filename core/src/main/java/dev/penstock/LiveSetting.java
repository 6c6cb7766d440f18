package dev.penstock;

import dev.penstock.Setting.Origin;
import dev.penstock.Setting.Pin;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A setting that finds itself: default until its value changes, learned from then on.
 *
 * <p>Since when it has its value is known as well as somebody looks: it is the time at which the value was first seen. So
 * nothing is noted on the way of a transaction.
 *
 * <p>Safe for many threads.
 */
public final class LiveSetting {
    private static final Pattern PLAIN = Pattern.compile("[ -~]{1,40}");

    /**
     * What it is now.
     *
     * @param value as a person writes it
     * @param range what it may be
     * @param reason one sentence
     * @param pinned whether somebody has set it
     */
    public record Now(String value, String range, String reason, boolean pinned) {}

    /** Sets a value while it runs. Safe for many threads. */
    public interface Knob {
        /**
         * Takes this value from now on.
         *
         * @param value as a person writes it
         * @throws IllegalArgumentException when it is none, or out of range; nothing has changed then
         */
        void pin(String value);

        /** Goes on from where it is by what is measured, or back to what was given. Does nothing when it is not pinned. */
        void unpin();

        /** What a value looks like where the range does not tell, for instance {@code 200ms}; empty where it does. */
        default String example() {
            return "";
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
     * A setting as it is now.
     *
     * @param name dotted and unique within its flow
     * @param now tells what it is; called by many threads
     * @param wallClock tells since when
     */
    public LiveSetting(String name, Supplier<Now> now, InstantSource wallClock) {
        this(name, now, null, wallClock);
    }

    /**
     * A setting as it is now, which may be pinned.
     *
     * @param name dotted and unique within its flow
     * @param now tells what it is; called by many threads
     * @param knob sets it; null when nobody may
     * @param wallClock tells since when
     */
    public LiveSetting(String name, Supplier<Now> now, @Nullable Knob knob, InstantSource wallClock) {
        this(name, now, knob, wallClock, Origin.DEFAULT);
    }

    /**
     * As above, for a setting whose first value may have been learned by an earlier process.
     *
     * @param first where the first value is from
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

    /** What it is called. */
    public String name() {
        return name;
    }

    /** Whether it may be pinned. */
    public boolean isPinnable() {
        return knob != null;
    }

    /**
     * Takes a value in place of what is measured or was given, until it is unpinned.
     *
     * @param value as a person writes it, for instance {@code 100} or {@code 200ms}
     * @param by who wants it, in one word or two; its reason says so
     * @throws IllegalArgumentException when it cannot be pinned, or not to this value, with one line that says what to do
     */
    public synchronized Setting pin(String value, String by) {
        Knob turned = knob;
        if (turned == null) {
            throw new IllegalArgumentException(name + " cannot be pinned while the flow runs: set it in its file");
        }
        try {
            turned.pin(value.strip());
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "%s: give %s%s, not %s".formatted(name, now.get().range(), example(turned), shown(value)), wrong);
        }
        seen = null;
        since = wallClock.instant();
        pinnedBy = "pinned by " + by + " at " + since.truncatedTo(ChronoUnit.SECONDS);
        return setting();
    }

    private static String example(Knob knob) {
        return knob.example().isEmpty() ? "" : ", such as " + knob.example();
    }

    /** It may come from anybody, and goes to logs. */
    private static String shown(String value) {
        if (value.isBlank()) {
            return "nothing";
        }
        return PLAIN.matcher(value).matches() ? value : "that";
    }

    /** Gives up the pinned value. Does nothing when it is not pinned, or cannot be. */
    public synchronized Setting unpin() {
        if (knob != null && pinnedBy != null) {
            knob.unpin();
            pinnedBy = null;
            seen = null;
            since = wallClock.instant();
            origin = Origin.LEARNED;
        }
        return setting();
    }

    /** The setting as of now. */
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
