package dev.penstock.cli;

import dev.penstock.lab.measure.Condition;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts conditions, for instance p99>250ms. */
final class ConditionConverter implements ITypeConverter<Condition> {
    @Override
    public Condition convert(String text) {
        try {
            return Condition.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
