package dev.penstock.lab.compare.check;

import dev.penstock.lab.report.Figures;

/**
 * A rounded number as printed, and the range of its exact value.
 *
 * @param value as printed
 * @param rounding maximum rounding error, in either direction
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
