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
    /**
     * A knob for a duration. Accepts the display format ({@code 250 ms}) as well as the file format ({@code 250ms}).
     *
     * @param longest the upper bound; the lower one is 0
     */
    static FunctionKnob ofTime(Duration longest, Consumer<@Nullable Duration> pin) {
        return new FunctionKnob(
                value -> pin.accept(
                        bounded(Durations.parse(value.replace(" ", "").replace("min", "m")), longest)),
                () -> pin.accept(null),
                "200ms");
    }

    private static Duration bounded(Duration time, Duration longest) {
        if (time.compareTo(longest) > 0) {
            throw new IllegalArgumentException("at most " + Durations.format(longest));
        }
        return time;
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
