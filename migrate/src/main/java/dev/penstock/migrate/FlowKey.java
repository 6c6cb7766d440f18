package dev.penstock.migrate;

import dev.penstock.migrate.FlowText.Value;
import dev.penstock.text.Sizes;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A key of a flow file that a table writes, with what it allows.
 *
 * @param noLimit what a number means that is no limit in the old file: a negative one, or 0 if this text begins with 0; empty
 *     if there is none. Of a name that is only read: what is wrong with a number outside of its range
 */
record FlowKey(String path, Unit unit, long min, long max, String noLimit) {
    private static final Pattern NUMBER = Pattern.compile("([+-]?\\d{1,15})(\\.\\d{1,9})?\\s*([A-Za-z]{0,2}|%)");

    /** A size in a flow file has at most nine digits. */
    private static final long MAX_DIGITS = 999_999_999;

    /** How a value is written. */
    enum Unit {
        COUNT("a number; write for instance 10", " =1"),
        WHOLE("a whole number; write for instance 30", " =1"),
        PERCENT("a number; write for instance 10", " =1 %=1"),
        /** In milliseconds. */
        TIME("a time; write for instance 500", " =1 ns=1e-6 us=1e-3 ms=1 s=1e3 m=6e4 h=36e5 d=864e5"),
        /** In bytes. */
        SIZE("a size; write for instance 8192", " =1 b=1 kb=1024 mb=1048576 gb=1073741824"),
        FLAG("", ""),
        TEXT("", "");

        private final String example;
        /** What the units of a value multiply it with. */
        private final String factors;

        Unit(String example, String factors) {
            this.example = example;
            this.factors = factors;
        }

        /**
         * Reads a number, rounded up; null when it is none.
         *
         * @param plain the unit of a number without one; empty for that of this
         */
        @Nullable
        Long parse(String value, String plain) {
            if (this == TIME && value.matches("[+-]?[pP].*")) {
                try {
                    return Duration.parse(value).toMillis();
                } catch (DateTimeParseException | ArithmeticException wrong) {
                    return null;
                }
            }
            Matcher number = NUMBER.matcher(value);
            if (!number.matches() || (number.group(2) != null && this != PERCENT)) {
                return null;
            }
            String given = number.group(3).isEmpty() ? plain : number.group(3).toLowerCase(Locale.ROOT);
            Matcher factor = Pattern.compile(" " + given + "=(\\S+)").matcher(factors);
            return !factor.find()
                    ? null
                    : new BigDecimal(number.group(1) + (number.group(2) == null ? "" : number.group(2)))
                            .multiply(new BigDecimal(factor.group(1)))
                            .setScale(0, RoundingMode.CEILING)
                            .min(BigDecimal.valueOf(Long.MAX_VALUE))
                            .max(BigDecimal.valueOf(Long.MIN_VALUE))
                            .longValue();
        }

        String write(long number) {
            return switch (this) {
                case TIME -> Notation.time(number);
                case SIZE -> Sizes.format(number);
                default -> Long.toString(number);
            };
        }
    }

    /** The line for a number, within what the key allows; the comment says so where that differs. */
    Value line(long number, String comment) {
        boolean isZeroNoLimit = noLimit.startsWith("0");
        boolean isUnlimited = !noLimit.isEmpty() && number < (isZeroNoLimit ? 1 : 0);
        long within = isUnlimited ? max : Math.clamp(number, min, max);
        String range = "";
        if (isUnlimited) {
            range = "; " + noLimit + ", the maximum here is " + unit.write(max);
        } else if (within != number) {
            range = isZeroNoLimit
                    ? "; the maximum is " + unit.write(max)
                    : "; allowed here: " + unit.write(min) + " to " + unit.write(max);
        }
        return new Value(path, unit.write(within), comment + range, within);
    }

    /** The line for a default of a product. */
    Value written(String value, String comment) {
        Long number = unit.parse(value, "");
        return number == null || unit == Unit.TEXT
                ? new Value(path, value, comment)
                : new Value(path, unit.write(number), comment, number);
    }

    /** The line for a value that is not blank; reports one that the old client refuses. */
    Value read(PropertyLine old, String note, Report report) {
        String comment = old.shown() + (note.isEmpty() ? "" : "; " + note);
        String value = old.value().strip();
        if (old.hasPlaceholder()) {
            return placeholder(value, comment, old, report);
        }
        return switch (unit) {
            case TEXT -> new Value(path, Notation.quoted(value), comment);
            case FLAG -> new Value(path, Boolean.toString(flag(old, "true", "false", report)), comment);
            default -> line(number(old, "", report), comment);
        };
    }

    /**
     * Reads a number; reports a value that is none, and takes the least.
     *
     * @param plain as for {@link Unit#parse}
     */
    long number(PropertyLine old, String plain, Report report) {
        Long number = unit.parse(old.value().strip(), plain);
        if (number == null) {
            report.refuse(old, "not " + unit.example);
        }
        return number == null ? min : number;
    }

    /** Reads true or false in any case, or what also means them: two patterns. */
    static boolean flag(PropertyLine old, String yes, String no, Report report) {
        String value = old.value().strip().toLowerCase(Locale.ROOT);
        boolean isTrue = value.matches("true|" + yes);
        if (!isTrue && !value.matches("false|" + no)) {
            report.refuse(old, "neither true nor false; write one of them");
        }
        return isTrue;
    }

    /** A placeholder in the notation of flow files: Spring reads a.b-c from the variable A_BC, too. */
    private Value placeholder(String value, String comment, PropertyLine old, Report report) {
        Matcher matcher = Notation.PLACEHOLDER.matcher(value);
        if (!matcher.matches()) {
            report.refuse(old, "not a placeholder ${NAME} or ${NAME:default}; write the value");
            return new Value(path, "", comment);
        }
        String given = Notation.fallback(matcher);
        String fallback = given == null ? "" : given.strip();
        // A number without a unit has none in the variable either; that of Spring may have one.
        boolean isSpring = old.name().matches("(resilience4j|server)\\..*");
        boolean isNumber = fallback.isEmpty() ? !isSpring : fallback.matches("[+-]?\\d+");
        String suffix = !isNumber ? "" : unit == Unit.TIME ? "ms" : unit == Unit.SIZE ? "B" : "";
        String name = "\"${" + Notation.variable(matcher.group(1));
        if (fallback.isEmpty()) {
            return new Value(path, name + "}" + suffix + '"', comment);
        }
        Value line = read(old.with(fallback), "", report);
        String converted =
                suffix.isEmpty() ? line.yaml().replace("\"", "") : Long.toString(Math.min(line.number(), MAX_DIGITS));
        return new Value(path, name + ":" + converted + "}" + suffix + '"', comment, line.number());
    }
}
