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
record FunctionKnob(Consumer<String> to, Runnable back, String example) implements LiveSetting.Knob {
    /** A knob of a duration, which may be written as it is shown. */
    static FunctionKnob ofTime(Consumer<@Nullable Duration> pin) {
        return new FunctionKnob(
                value -> pin.accept(Durations.parse(value.replace(" ", "").replace("min", "m"))),
                () -> pin.accept(null),
                "200ms");
    }

    /** A knob of a whole number. */
    static FunctionKnob ofCount(Consumer<@Nullable Integer> pin) {
        return new FunctionKnob(value -> pin.accept(Integer.valueOf(value)), () -> pin.accept(null), "");
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
