package dev.penstock.gateway.config;

/**
 * A text that is never printed, for instance the value of an Authorization header.
 *
 * @param value the text itself
 */
public record Secret(String value) {
    /** Does not show the value. */
    @Override
    public String toString() {
        return "(hidden)";
    }
}
