package dev.penstock.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts a percentage, 5%, or a number from 0 to 1, to the latter. */
final class ShareConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
        boolean percent = text.endsWith("%");
        String digits = percent ? text.substring(0, text.length() - 1) : text;
        double share = digits.matches("\\d{1,9}(\\.\\d{1,9})?") ? Double.parseDouble(digits) / (percent ? 100 : 1) : -1;
        if (share < 0 || share > 1) {
            throw new TypeConversionException(
                    "\"" + text + "\" is not a percentage: write 0% to 100%, for instance 5%");
        }
        return share;
    }
}
