package dev.penstock.gateway.config;

import dev.penstock.Collapse;
import dev.penstock.Collapse.Prefer;
import dev.penstock.gateway.config.CollapseKind.Budget;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the keys of {@code collapse} that all targets have. */
public final class CollapseReader {
    private static final Pattern PERCENT = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3})?) ?%");

    private CollapseReader() {}

    /** Reads {@code prefer}. */
    public static Configured<Prefer> prefer(ConfigMapping collapse) {
        return collapse.read("prefer", Prefer.AUTO, CollapseReader::prefer);
    }

    private static @Nullable Prefer prefer(ConfigValue value) {
        return value.oneOf(
                Prefer.values(), Prefer::label, "which is not a valid preference", "write auto, calls or latency");
    }

    /** Reads {@code max}. */
    public static Configured<Integer> max(ConfigMapping collapse) {
        return collapse.integer("max", Collapse.DEFAULT_MAX, 1, Collapse.LARGEST_BATCH);
    }

    /** Reads {@code budget}. */
    public static @Nullable Configured<Budget> budget(ConfigMapping collapse) {
        return collapse.unlessAuto("budget", CollapseReader::budget);
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
