package dev.penstock.lab.compare.check;

import dev.penstock.lab.report.Figures;

/**
 * A number as it is printed, and what it may have been before it was rounded.
 *
 * @param value as printed
 * @param rounding how far it may be from what it was, either way
 */
public record PrintedNumber(double value, double rounding) {
    double low() {
        return value - rounding;
    }

    double high() {
        return value + rounding;
    }

    @Override
    public String toString() {
        return Figures.number(value);
    }
}
