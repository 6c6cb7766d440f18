package dev.penstock.jdbc;

/**
 * JSON text, sent to the database and read from it unparsed.
 *
 * @param text one JSON value
 */
public record JsonText(String text) {
    @Override
    public String toString() {
        return text;
    }
}
