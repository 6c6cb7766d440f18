package dev.penstock.lab.compare.foreign;

import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows of separated values one at a time: fields in double quotes may contain separators, line feeds, and doubled
 * double quotes (RFC 4180). Empty lines are skipped. For one thread.
 */
public final class CsvRows {
    /** The maximum number of characters of a row: 1 Mi. */
    public static final int MAX_CHARS = 1 << 20;

    private static final int END = -1;

    private final Reader in;
    private final char separator;
    private final StringBuilder field = new StringBuilder();
    private final char[] buffer = new char[1 << 15];
    private int at;
    private int filled;
    private int next;
    private long line = 1;
    private long rowLine = 1;
    private int chars;

    /**
     * The rows of a text.
     *
     * @param in read to its end, not closed; need not be buffered
     * @param separator between fields
     * @throws IOException when it cannot be read
     */
    public CsvRows(Reader in, char separator) throws IOException {
        this.in = in;
        this.separator = separator;
        next = read();
        if (next == '\uFEFF') {
            next = read();
        }
    }

    /**
     * The fields of the next row; null at the end.
     *
     * @throws IOException when it cannot be read, or a row is longer than {@link #MAX_CHARS}
     */
    public @Nullable List<String> next() throws IOException {
        while (next == '\n' || next == '\r') {
            advance();
        }
        if (next == END) {
            return null;
        }
        rowLine = line;
        chars = 0;
        List<String> row = new ArrayList<>();
        do {
            row.add(field());
        } while (pass(separator));
        pass('\r');
        pass('\n');
        return row;
    }

    /** The line on which the last row started, from 1. */
    public long line() {
        return rowLine;
    }

    private String field() throws IOException {
        field.setLength(0);
        if (pass('"')) {
            quoted();
        }
        // Also accepts text after a closing quote: such a file is malformed, but a label is no reason to reject it.
        while (next != separator && next != '\n' && next != '\r' && next != END) {
            take();
        }
        return field.toString();
    }

    private void quoted() throws IOException {
        while (next != END) {
            if (pass('"')) {
                if (next != '"') {
                    return;
                }
            }
            take();
        }
    }

    private void take() throws IOException {
        if (++chars > MAX_CHARS) {
            throw new IOException("line " + rowLine + " starts a row of more than " + MAX_CHARS
                    + " characters: perhaps a double quote is not closed");
        }
        field.append((char) next);
        advance();
    }

    private boolean pass(char expected) throws IOException {
        if (next != expected) {
            return false;
        }
        advance();
        return true;
    }

    private void advance() throws IOException {
        if (next == '\n') {
            line++;
        }
        next = read();
    }

    /** Buffered, because readers take a lock for each call. */
    private int read() throws IOException {
        if (at == filled) {
            filled = in.read(buffer);
            at = 0;
            if (filled <= 0) {
                filled = 0;
                return END;
            }
        }
        return buffer[at++];
    }
}
