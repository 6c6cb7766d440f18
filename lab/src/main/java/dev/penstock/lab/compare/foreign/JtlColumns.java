package dev.penstock.lab.compare.foreign;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a JTL file's fields; -1 for absent ones.
 *
 * @param separator between fields
 * @param header whether the first row names the columns
 */
record JtlColumns(
        char separator,
        boolean header,
        int start,
        int elapsed,
        int label,
        int code,
        int message,
        int success,
        int users) {
    /**
     * The default order without a header: that of JMeter 5.0 and later; earlier versions lack some columns at the end.
     */
    private static final String DEFAULT =
            "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,"
                    + "failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect";

    private static final List<Character> SEPARATORS = List.of(',', ';', '\t', '|');

    /** Derives the columns from the first line of a file; null when it is not a JTL file. */
    static @Nullable JtlColumns of(String firstLine) {
        String line = firstLine.replace("\uFEFF", "").replace("\"", "").strip();
        for (char separator : SEPARATORS) {
            List<String> fields = split(line, separator);
            if (fields.contains("timestamp") && fields.contains("elapsed")) {
                return named(fields, separator, true);
            }
            if (isSample(fields)) {
                return named(split(DEFAULT, ','), separator, false);
            }
        }
        return null;
    }

    /**
     * Milliseconds since 1970 have had 12 digits or more since 1973; a sample without a header has at least the columns
     * up to success.
     */
    private static boolean isSample(List<String> fields) {
        return fields.size() >= 8
                && fields.getFirst().matches("\\d{12,}")
                && fields.get(1).matches("\\d+");
    }

    private static JtlColumns named(List<String> names, char separator, boolean header) {
        return new JtlColumns(
                separator,
                header,
                names.indexOf("timestamp"),
                names.indexOf("elapsed"),
                names.indexOf("label"),
                names.indexOf("responsecode"),
                names.indexOf("responsemessage"),
                names.indexOf("success"),
                names.indexOf("allthreads"));
    }

    private static List<String> split(String line, char separator) {
        String[] fields = line.toLowerCase(Locale.ROOT).split(Pattern.quote("" + separator), -1);
        return Arrays.stream(fields).map(String::strip).toList();
    }
}
