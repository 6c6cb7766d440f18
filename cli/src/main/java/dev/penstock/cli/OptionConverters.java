package dev.penstock.cli;

import dev.penstock.lab.measure.Condition;
import dev.penstock.text.Durations;
import dev.penstock.text.Sizes;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts option values in the notation of flow files. */
final class OptionConverters {
    private OptionConverters() {}

    /** Converts durations in the notation of flow files: 200ms, 2s, 5m. */
    static final class DurationConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            try {
                return Durations.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** Converts sizes in the notation of flow files: 64KB, 1MB. */
    static final class SizeConverter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            Long bytes = Sizes.parse(text);
            if (bytes == null) {
                throw new TypeConversionException("\"" + text
                        + "\" is not a size: write a whole number and a unit, for instance 512B, 64KB or 1MB");
            }
            return bytes;
        }
    }

    /** Converts a percentage, 5%, or a number from 0 to 1, to the latter. */
    static final class ShareConverter implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            boolean percent = text.endsWith("%");
            String digits = percent ? text.substring(0, text.length() - 1) : text;
            double share =
                    digits.matches("\\d{1,9}(\\.\\d{1,9})?") ? Double.parseDouble(digits) / (percent ? 100 : 1) : -1;
            if (share < 0 || share > 1) {
                throw new TypeConversionException(
                        "\"" + text + "\" is not a percentage: write 0% to 100%, for instance 5%");
            }
            return share;
        }
    }

    /** Converts labelled requests, for instance browse 8 GET /items. */
    static final class RequestConverter implements ITypeConverter<LabelledRequest> {
        @Override
        public LabelledRequest convert(String text) {
            try {
                return LabelledRequest.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** Converts conditions, for instance p99>250ms. */
    static final class ConditionConverter implements ITypeConverter<Condition> {
        @Override
        public Condition convert(String text) {
            try {
                return Condition.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
