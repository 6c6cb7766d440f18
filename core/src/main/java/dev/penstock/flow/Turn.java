package dev.penstock.flow;

import dev.penstock.Durations;
import dev.penstock.LiveSetting;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A knob of two functions.
 *
 * @param to takes a value as a person writes it; throws {@link IllegalArgumentException} when it is none
 * @param back gives it up
 * @param example what a value looks like; empty where its range tells
 */
record Turn(Consumer<String> to, Runnable back, String example) implements LiveSetting.Knob {
    /** A knob of a duration, which may be written as it is shown. */
    static Turn ofTime(Consumer<@Nullable Duration> pin) {
        return new Turn(
                value -> pin.accept(Durations.parse(value.replace(" ", "").replace("min", "m"))),
                () -> pin.accept(null),
                "200ms");
    }

    /** A knob of a whole number. */
    static Turn ofCount(Consumer<@Nullable Integer> pin) {
        return new Turn(value -> pin.accept(Integer.valueOf(value)), () -> pin.accept(null), "");
    }

    @Override
    public void pin(String value) {
        to.accept(value);
    }

    @Override
    public void unpin() {
        back.run();
    }
}
