package dev.penstock.flow;

import dev.penstock.LiveSetting;
import dev.penstock.text.Durations;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A knob made of two functions.
 *
 * @param to pins a value; throws {@link IllegalArgumentException} when it cannot be parsed or is out of range
 * @param back unpins it
 * @param example an example value; empty when the range already shows the format
 */
record FunctionKnob(Consumer<String> to, Runnable back, String example) implements LiveSetting.Knob {
    /** A knob for a duration. Accepts the display format ({@code 250 ms}) as well as the file format ({@code 250ms}). */
    static FunctionKnob ofTime(Consumer<@Nullable Duration> pin) {
        return new FunctionKnob(
                value -> pin.accept(Durations.parse(value.replace(" ", "").replace("min", "m"))),
                () -> pin.accept(null),
                "200ms");
    }

    /** A knob for an integer. */
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
