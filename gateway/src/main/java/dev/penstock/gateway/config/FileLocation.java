package dev.penstock.gateway.config;

/**
 * A line and column of the flow file.
 *
 * @param line from 1; 0 when not in the file
 * @param column from 1, in characters; 0 when not in the file
 */
public record FileLocation(int line, int column) implements Comparable<FileLocation> {
    /** Not in the file, for instance a default. */
    public static final FileLocation NOWHERE = new FileLocation(0, 0);

    /** The first character of the file. */
    public static final FileLocation START = new FileLocation(1, 1);

    @Override
    public int compareTo(FileLocation other) {
        int byLine = Integer.compare(line, other.line);
        return byLine != 0 ? byLine : Integer.compare(column, other.column);
    }
}
