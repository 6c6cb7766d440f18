package dev.penstock;

import dev.penstock.Setting.Origin;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
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
    /**
     * What it is now.
     *
     * @param value as a person writes it
     * @param range what it may be
     * @param reason one sentence
     * @param pinned whether somebody has set it
     */
    public record Now(String value, String range, String reason, boolean pinned) {}

    private final String name;
    private final Supplier<Now> now;
    private final InstantSource wallClock;
    private @Nullable String seen;
    private Instant since;
    private Origin origin = Origin.DEFAULT;

    /**
     * A setting as it is now.
     *
     * @param name dotted and unique within its flow
     * @param now tells what it is; called by many threads
     * @param wallClock tells since when
     */
    public LiveSetting(String name, Supplier<Now> now, InstantSource wallClock) {
        this.name = name;
        this.now = now;
        this.wallClock = wallClock;
        this.since = wallClock.instant();
        setting();
    }

    /** The setting as of now. */
    public synchronized Setting setting() {
        Now is = now.get();
        if (seen != null && !seen.equals(is.value())) {
            since = wallClock.instant();
            origin = Origin.LEARNED;
        }
        seen = is.value();
        return new Setting(name, is.value(), is.range(), is.reason(), since, is.pinned() ? Origin.PINNED : origin);
    }
}
