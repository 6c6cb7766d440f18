package dev.penstock.migrate;

import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Quoted;
import dev.penstock.migrate.FlowKey.Unit;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts one old value to a line of a flow file. */
final class StageValue {
    private static final Pattern NUMBER = Pattern.compile("([+-]?\\d{1,15})(\\.\\d{1,9})?\\s*([A-Za-z]{0,2}|%)");

    /** A size in a flow file has at most nine digits. */
    private static final long MAX_DIGITS = 999_999_999;

    private StageValue() {}

    /** The line for a value that is not blank. Reports a value that the old client refuses, too. */
    static FlowLine of(FlowKey key, String note, PropertyLine old, ConfigProblems problems) {
        String comment = old.shown() + (note.isEmpty() ? "" : "; " + note);
        String value = old.value().strip();
        if (old.hasPlaceholder()) {
            return placeholder(key, value, comment, old, problems);
        }
        return switch (key.unit()) {
            case TEXT -> new FlowLine(key.path(), YamlText.quoted(value), comment);
            case FLAG -> new FlowLine(key.path(), flag(value, old, problems), comment);
            default -> number(key, value, comment, old, problems);
        };
    }

    /** The line for a default of a product. */
    static FlowLine written(FlowKey key, String value, String comment) {
        BigDecimal number = parse(key.unit(), value);
        return number == null || key.unit() == Unit.TEXT
                ? new FlowLine(key.path(), value, comment)
                : new FlowLine(key.path(), write(key.unit(), number.longValue()), comment, number.longValue());
    }

    private static String flag(String value, PropertyLine old, ConfigProblems problems) {
        if (!value.matches("(?i:true|false)")) {
            refuse(old, "neither true nor false; write one of them", problems);
        }
        return value.toLowerCase(Locale.ROOT);
    }

    private static FlowLine number(
            FlowKey key, String value, String comment, PropertyLine old, ConfigProblems problems) {
        BigDecimal given = parse(key.unit(), value);
        if (given == null) {
            String example = switch (key.unit()) {
                case TIME -> "a time; write for instance 500";
                case SIZE -> "a size; write for instance 8192";
                default -> "a number; write for instance 10";
            };
            refuse(old, "not " + example, problems);
            return new FlowLine(key.path(), "", comment);
        }
        long number = given.setScale(0, RoundingMode.CEILING)
                .min(BigDecimal.valueOf(Long.MAX_VALUE))
                .longValue();
        boolean unlimited = number < 0 && key.negativeIsUnlimited();
        long within = unlimited ? key.max() : Math.clamp(number, key.min(), key.max());
        String range = unlimited
                ? "; no limit there, the maximum here is " + write(key.unit(), key.max())
                : within == number
                        ? ""
                        : "; allowed here: " + write(key.unit(), key.min()) + " to " + write(key.unit(), key.max());
        return new FlowLine(key.path(), write(key.unit(), within), comment + range, within);
    }

    /** The number in milliseconds or bytes, or null. */
    private static @Nullable BigDecimal parse(Unit unit, String value) {
        if (unit == Unit.TIME && value.matches("[+-]?[pP].*")) {
            try {
                return BigDecimal.valueOf(Duration.parse(value).toMillis());
            } catch (DateTimeParseException | ArithmeticException wrong) {
                return null;
            }
        }
        Matcher matcher = NUMBER.matcher(value);
        if (!matcher.matches()) {
            return null;
        }
        Double factor = factor(unit, matcher.group(3).toLowerCase(Locale.ROOT));
        boolean whole = matcher.group(2) == null || unit == Unit.PERCENT;
        String digits = matcher.group(1) + (matcher.group(2) == null ? "" : matcher.group(2));
        return factor == null || !whole ? null : new BigDecimal(digits).multiply(BigDecimal.valueOf(factor));
    }

    private static @Nullable Double factor(Unit unit, String name) {
        return switch (unit) {
            case TIME ->
                switch (name) {
                    case "", "ms" -> 1.0;
                    case "ns" -> 1e-6;
                    case "us" -> 1e-3;
                    case "s" -> 1e3;
                    case "m" -> 6e4;
                    case "h" -> 3.6e6;
                    case "d" -> 8.64e7;
                    default -> null;
                };
            case SIZE ->
                switch (name) {
                    case "", "b" -> 1.0;
                    case "kb" -> 1024.0;
                    case "mb" -> 1048576.0;
                    case "gb" -> 1073741824.0;
                    default -> null;
                };
            case PERCENT -> name.isEmpty() || name.equals("%") ? 1.0 : null;
            default -> name.isEmpty() ? 1.0 : null;
        };
    }

    static String write(Unit unit, long number) {
        return switch (unit) {
            case TIME -> YamlText.time(Duration.ofMillis(number));
            case SIZE ->
                number % (1 << 30) == 0
                        ? number / (1 << 30) + "GB"
                        : number % (1 << 20) == 0
                                ? number / (1 << 20) + "MB"
                                : number % (1 << 10) == 0 ? number / (1 << 10) + "KB" : number + "B";
            default -> Long.toString(number);
        };
    }

    /** A placeholder in the notation of flow files: Spring reads a.b-c from the variable A_BC, too. */
    private static FlowLine placeholder(
            FlowKey key, String value, String comment, PropertyLine old, ConfigProblems problems) {
        Matcher matcher = YamlText.PLACEHOLDER.matcher(value);
        if (!matcher.matches()) {
            refuse(old, "not a placeholder ${NAME} or ${NAME:default}; write the value", problems);
            return new FlowLine(key.path(), "", comment);
        }
        String fallback =
                matcher.group(2) == null ? "" : matcher.group(2).substring(1).strip();
        // A number without a unit has none in the variable either.
        boolean isNumber = fallback.isEmpty() ? !isOfSpring(old.name()) : fallback.matches("[+-]?\\d+");
        String unit = !isNumber ? "" : key.unit() == Unit.TIME ? "ms" : key.unit() == Unit.SIZE ? "B" : "";
        String variable = YamlText.variable(matcher.group(1));
        if (fallback.isEmpty()) {
            return new FlowLine(key.path(), "\"${" + variable + "}" + unit + '"', comment);
        }
        FlowLine line = of(key, "", new PropertyLine(old.name(), fallback, old.location()), problems);
        String converted =
                unit.isEmpty() ? line.yaml().replace("\"", "") : Long.toString(Math.min(line.number(), MAX_DIGITS));
        return new FlowLine(key.path(), "\"${" + variable + ":" + converted + "}" + unit + '"', comment, line.number());
    }

    /** Whether it is one of Spring, where a time or size may have a unit. */
    private static boolean isOfSpring(String name) {
        return name.matches("(resilience4j|server)\\..*");
    }

    private static void refuse(PropertyLine old, String why, ConfigProblems problems) {
        problems.add(
                old.location(),
                "'" + Quoted.plain(old.name()) + "' is " + Quoted.of(old.value().strip()) + ", which is " + why);
    }
}
