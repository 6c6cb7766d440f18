package dev.penstock.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A share on the command line is written as a percentage, 5%, or as a number from 0 to 1; it becomes the latter. */
final class ShareConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
        boolean percent = text.endsWith("%");
        String digits = percent ? text.substring(0, text.length() - 1) : text;
        double share = digits.matches("\\d{1,9}(\\.\\d{1,9})?") ? Double.parseDouble(digits) / (percent ? 100 : 1) : -1;
        if (share < 0 || share > 1) {
            throw new TypeConversionException(
                    "\"" + text + "\" is no share: write a percentage from 0% to 100%, for instance 5%");
        }
        return share;
    }
}
