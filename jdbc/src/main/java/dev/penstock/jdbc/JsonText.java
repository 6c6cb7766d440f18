package dev.penstock.jdbc;

/**
 * JSON as it is written, which goes to a database as text, and comes from one so.
 *
 * @param text one JSON value
 */
public record JsonText(String text) {
    @Override
    public String toString() {
        return text;
    }
}
