package dev.penstock.lab.compare.foreign;

import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
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
    private static final List<Character> SEPARATORS = List.of(',', ';', '\t', '|');

    /** The order without a header: that of JMeter 5.0 and later; earlier versions lack some columns at the end. */
    private static final List<String> DEFAULT = split(
            "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,"
                    + "failureMessage,bytes,sentBytes,grpThreads,allThreads",
            ',');

    /**
     * The columns of a file.
     *
     * @param names in lower case
     * @param header whether the first row names them
     */
    record Columns(char separator, List<String> names, boolean header) {
        /** Derives the columns from the first line of a file; null when it is not a JTL file. */
        static @Nullable Columns of(String firstLine) {
            String line = firstLine.replace("\uFEFF", "").replace("\"", "").strip();
            for (char separator : SEPARATORS) {
                List<String> fields = split(line, separator);
                if (fields.contains("timestamp") && fields.contains("elapsed")) {
                    return new Columns(separator, fields, true);
                }
                if (isSample(fields)) {
                    return new Columns(separator, DEFAULT, false);
                }
            }
            return null;
        }

        /**
         * Milliseconds since 1970 have had 12 digits or more since 1973; a sample without a header has at least the
         * columns up to success.
         */
        private static boolean isSample(List<String> fields) {
            return fields.size() >= 8
                    && fields.getFirst().matches("\\d{12,}")
                    && fields.get(1).matches("\\d+");
        }
    }

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
    private final Columns columns;
    private final int start;
    private final int elapsed;
    private final int label;
    private final int code;
    private final int message;
    private final int success;
    private final int users;
    private long read;
    private long broken;
    private long headers;
    private @Nullable String firstBroken;

    JtlSamples(Reader in, Columns columns) throws IOException {
        this.columns = columns;
        start = columns.names().indexOf("timestamp");
        elapsed = columns.names().indexOf("elapsed");
        label = columns.names().indexOf("label");
        code = columns.names().indexOf("responsecode");
        message = columns.names().indexOf("responsemessage");
        success = columns.names().indexOf("success");
        users = columns.names().indexOf("allthreads");
        rows = new CsvRows(in, columns.separator());
        if (columns.header()) {
            rows.next();
        }
    }

    private static List<String> split(String line, char separator) {
        String[] fields = line.toLowerCase(Locale.ROOT).split(Pattern.quote("" + separator), -1);
        return Arrays.stream(fields).map(String::strip).toList();
    }

    /** The next sample; null at the end. */
    @Nullable
    Sample next() throws IOException {
        for (List<String> row = rows.next(); row != null; row = rows.next()) {
            // JMeter appends to an existing file, including another header.
            boolean header = columns.header() && text(row, elapsed).equalsIgnoreCase("elapsed");
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

    private @Nullable Sample sample(List<String> row) {
        long at = number(row, start);
        long time = number(row, elapsed);
        String succeeded = text(row, success);
        boolean known = success < 0 || succeeded.equals("true") || succeeded.equals("false");
        return at < 0 || time < 0 || !known
                ? null
                : new Sample(
                        at,
                        time,
                        text(row, label),
                        !succeeded.equals("false"),
                        !text(row, code).contains(TIMED_OUT)
                                || text(row, message).toLowerCase(Locale.ROOT).contains("connect"),
                        text(row, message).startsWith(TRANSACTION),
                        Math.clamp(number(row, users), 0, Integer.MAX_VALUE));
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
