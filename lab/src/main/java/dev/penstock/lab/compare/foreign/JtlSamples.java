package dev.penstock.lab.compare.foreign;

import java.io.IOException;
import java.io.Reader;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Reads the samples of a JTL file one at a time, with constant memory. Malformed rows (for instance because JMeter was
 * stopped while it wrote) are skipped and counted. For one thread.
 */
final class JtlSamples {
    /** A file with more than one malformed row in this many is rejected. */
    private static final int ONE_IN = 100;

    /** A connect that timed out says so in its message: nothing was sent. */
    private static final String TIMED_OUT = "SocketTimeoutException";

    private static final String TRANSACTION = "Number of samples in transaction";

    /**
     * One sample.
     *
     * @param start in ms since 1970
     * @param elapsed in ms, at most 1 h
     * @param answered false when JMeter gave up waiting
     * @param transaction whether it is from a transaction controller, and so sums other samples
     * @param users number of threads; 0 when unknown
     */
    record Sample(
            long start, long elapsed, String label, boolean success, boolean answered, boolean transaction, int users) {
        long end() {
            return start + elapsed;
        }
    }

    private final CsvRows rows;
    private final JtlColumns columns;
    private long read;
    private long broken;
    private long headers;
    private @Nullable String firstBroken;

    JtlSamples(Reader in, JtlColumns columns) throws IOException {
        this.columns = columns;
        rows = new CsvRows(in, columns.separator());
        if (columns.header()) {
            rows.next();
        }
    }

    /** The next sample; null at the end. */
    @Nullable
    Sample next() throws IOException {
        for (List<String> row = rows.next(); row != null; row = rows.next()) {
            boolean header = isHeader(row);
            Sample sample = header ? null : sample(row);
            if (sample != null) {
                read++;
                return sample;
            }
            broken += header ? 0 : 1;
            headers += header ? 1 : 0;
            firstBroken = firstBroken == null ? "line " + rows.line() : firstBroken;
        }
        return null;
    }

    /** The number of malformed rows and of repeated headers so far. */
    long broken() {
        return broken + headers;
    }

    /** The first of them; null without any. */
    @Nullable
    String firstBroken() {
        return firstBroken;
    }

    /**
     * Checks that enough of the file could be read.
     *
     * @throws IOException when not; the message does not name the file
     */
    void check() throws IOException {
        if (read == 0 || broken * ONE_IN > read) {
            throw new IOException(
                    firstBroken == null
                            ? "it contains no samples"
                            : firstBroken + " is not a sample, and " + broken + " of " + (read + broken)
                                    + " rows are malformed: each needs a"
                                    + " start in ms since 1970 and a time in ms (jmeter.save.saveservice.timestamp_format=ms)");
        }
    }

    /** JMeter appends to an existing file, including another header. */
    private boolean isHeader(List<String> row) {
        return columns.header()
                && row.size() > columns.elapsed()
                && row.get(columns.elapsed()).equalsIgnoreCase("elapsed");
    }

    private @Nullable Sample sample(List<String> row) {
        long start = number(row, columns.start());
        long elapsed = number(row, columns.elapsed());
        String success = text(row, columns.success());
        boolean known = columns.success() < 0 || success.equals("true") || success.equals("false");
        return start < 0 || elapsed < 0 || !known
                ? null
                : new Sample(
                        start,
                        elapsed,
                        text(row, columns.label()),
                        !success.equals("false"),
                        !text(row, columns.code()).contains(TIMED_OUT)
                                || text(row, columns.message())
                                        .toLowerCase(Locale.ROOT)
                                        .contains("connect"),
                        text(row, columns.message()).startsWith(TRANSACTION),
                        Math.clamp(number(row, columns.users()), 0, Integer.MAX_VALUE));
    }

    private static String text(List<String> row, int column) {
        return column < 0 || column >= row.size() ? "" : row.get(column);
    }

    /** -1 when it is not a number. */
    private static long number(List<String> row, int column) {
        try {
            return Long.parseLong(text(row, column));
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
