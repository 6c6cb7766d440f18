package dev.penstock.cli;

import dev.penstock.Sizes;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts sizes in the notation of flow files: 64KB, 1MB. */
final class SizeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        Long bytes = Sizes.parse(text);
        if (bytes == null) {
            throw new TypeConversionException(
                    "\"" + text + "\" is not a size: write a whole number and a unit, for instance 512B, 64KB or 1MB");
        }
        return bytes;
    }
}
