package dev.penstock.gateway.config;

/**
 * A text that is never printed, for instance the value of an Authorization header.
 *
 * @param value the text
 */
public record Secret(String value) {
    /** Hides the value. */
    @Override
    public String toString() {
        return "(hidden)";
    }
}
