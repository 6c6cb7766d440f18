package dev.penstock.gateway.config;

import dev.penstock.Collapse;
import dev.penstock.gateway.config.CollapseKind.Budget;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The keys of {@code collapse} that all targets have. */
public final class CollapseReader {
    private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3})?) ?%");

    private CollapseReader() {}

    /** The keys of {@code collapse}, none yet. */
    public static Schema schema(String example) {
        return Schema.of("collapse", example)
                .removed(
                        "prefer",
                        "fewer calls and sooner answers are weighed by their cost; budget bounds the wait, or remove it");
    }

    /** Declares {@code max}. */
    public static Key<Integer> max(Schema schema) {
        return schema.key(
                        "max", KeyType.integer(1, Collapse.LARGEST_BATCH), "the maximum number of requests in a batch")
                .or(Collapse.DEFAULT_MAX)
                .pinnable("")
                .alias("size length");
    }

    /** Declares {@code budget}. */
    public static Key<Budget> budget(Schema schema) {
        return schema.key(
                        "budget",
                        KeyType.durationOr(PERCENT, "0s..1m, or 0%..100% of the call time", CollapseReader::budget),
                        "how long a request may wait for others")
                .auto("as long as it makes calls fewer or shorter")
                .pinnable("")
                .alias("window wait linger");
    }

    private static @Nullable Budget budget(ConfigValue value) {
        String written = value.text();
        if (written == null) {
            return null;
        }
        if (!written.contains("%")) {
            Duration time = value.duration("0s", "1m");
            return time == null ? null : new Budget.Time(time);
        }
        Matcher percent = PERCENT.matcher(written);
        double share = percent.matches() ? Double.parseDouble(percent.group(1)) / 100 : -1;
        if (share >= 0 && share <= 1) {
            return new Budget.Share(share);
        }
        value.refuseValue("which is not a percentage", "write 0% to 100%, a duration such as 20ms, or auto");
        return null;
    }
}
