package dev.penstock.gateway.config;

/**
 * Where in the flow file something is written.
 *
 * @param line from 1; 0 when it is not written anywhere
 * @param column from 1, in characters; 0 when it is not written anywhere
 */
public record Place(int line, int column) implements Comparable<Place> {
    /** Not in the file: a default. */
    public static final Place NOWHERE = new Place(0, 0);

    /** The first character of the file. */
    static final Place START = new Place(1, 1);

    @Override
    public int compareTo(Place other) {
        int byLine = Integer.compare(line, other.line);
        return byLine != 0 ? byLine : Integer.compare(column, other.column);
    }
}
