package dev.penstock.cli;

import dev.penstock.text.Sizes;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts option values whose type does not tell their notation; {@link Penstock#parser} has those of other types. */
final class OptionConverters {
    private OptionConverters() {}

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
}
