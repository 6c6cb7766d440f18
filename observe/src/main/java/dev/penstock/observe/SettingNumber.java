package dev.penstock.observe;

import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The numeric value of a setting in Prometheus base units: seconds, bytes, ratios. */
final class SettingNumber {
    private static final Pattern NUMBER = Pattern.compile("(-?\\d{1,15}(?:\\.\\d{1,9})?) ?([A-Za-z%]*)");

    private SettingNumber() {}

    /** The number; empty for a text or an unknown unit. */
    static OptionalDouble of(String value) {
        Matcher matcher = NUMBER.matcher(value);
        if (!matcher.matches()) {
            return OptionalDouble.empty();
        }
        double unit = unit(matcher.group(2));
        return unit == 0 ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(matcher.group(1)) * unit);
    }

    private static double unit(String name) {
        return switch (name) {
            case "", "s", "B", "bytes" -> 1;
            case "ns" -> 1e-9;
            case "us" -> 1e-6;
            case "ms" -> 1e-3;
            case "min" -> 60;
            case "h" -> 3_600;
            case "%" -> 0.01;
            case "KB" -> 1_024;
            case "MB" -> 1_048_576;
            case "GB" -> 1_073_741_824;
            default -> 0;
        };
    }
}
