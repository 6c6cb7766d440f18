package dev.penstock.lab.compare.foreign;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.penstock.lab.measure.Latency;
import dev.penstock.lab.report.Contestant;
import dev.penstock.lab.report.ResultFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A JMeter JTL file in CSV format with a header, read row by row: memory use does not depend on its size. Malformed rows
 * (for instance because JMeter was stopped while it wrote) are skipped and counted.
 *
 * <p>Rows of transaction controllers are skipped, because they sum other rows; unless one is selected by its label.
 */
final class JtlFile {
    private static final long MS = 1_000_000;
    private static final int MAX_LABELS = 20;
    /** A longer row has a quote that is not closed. */
    private static final int MAX_ROW = 1 << 20;
    /** A file with more than one malformed row in this many is rejected. */
    private static final int ONE_IN = 100;

    /** A connect that timed out says so in its message: nothing was sent. */
    private static final String TIMED_OUT = "SocketTimeoutException";

    private static final String TRANSACTION = "Number of samples in transaction";

    private final @Nullable String label;
    private final Map<String, Integer> columns = new HashMap<>();
    private final TreeSet<String> labels = new TreeSet<>();
    private final Histogram nanos = Latency.empty();
    private final Histogram failureNanos = Latency.empty();
    private long start = Long.MAX_VALUE;
    private long end;
    private long users;
    private long errors;
    private long least = Long.MAX_VALUE;
    private long leastUnanswered = Long.MAX_VALUE;
    private long transactions;
    private long read;
    private long malformed;
    private long leftOut;
    private long firstLeftOut;

    private JtlFile(@Nullable String label) {
        this.label = label;
    }

    /** The separator of a JTL file, by its first line; null when it is none. */
    static @Nullable String separator(String firstLine) {
        return Stream.of(",", ";", "\t", "|")
                .filter(separator -> {
                    String line = firstLine.replace("\"", "").toLowerCase(Locale.ROOT);
                    List<String> fields = List.of(line.split("\\s*" + Pattern.quote(separator) + "\\s*", -1));
                    return fields.contains("timestamp") && fields.contains("elapsed");
                })
                .findFirst()
                .orElse(null);
    }

    /**
     * Reads a file.
     *
     * @param label of the samples to count; null for all
     * @throws IOException when it cannot be read; the message does not name the file
     */
    static ResultFile read(Path file, String separator, @Nullable String label) throws IOException {
        JtlFile jtl = new JtlFile(label);
        CsvReader.CsvReaderBuilder format = CsvReader.builder()
                .fieldSeparator(separator)
                .detectBomHeader(true)
                .allowExtraFields(true)
                .allowMissingFields(true)
                .allowExtraCharsAfterClosingQuote(true)
                .maxBufferSize(MAX_ROW);
        // A label in another encoding is no reason to reject a file: malformed characters are replaced.
        try (CsvReader<CsvRecord> rows = format.ofCsvRecord(Files.newInputStream(file), StandardCharsets.UTF_8)) {
            rows.forEach(jtl::row);
        } catch (CsvParseException | UncheckedIOException e) {
            throw new IOException(e.getMessage() + ": perhaps a double quote is not closed", e);
        }
        return jtl.result(file);
    }

    private void row(CsvRecord row) {
        if (columns.isEmpty()) {
            row.getFields().forEach(name -> columns.put(name.strip().toLowerCase(Locale.ROOT), columns.size()));
            return;
        }
        // JMeter appends to an existing file, including another header.
        boolean isHeader = text(row, "elapsed").equalsIgnoreCase("elapsed");
        boolean isKnown =
                !columns.containsKey("success") || text(row, "success").matches("true|false");
        if (isHeader || !isKnown || number(row, "timestamp") < 0 || number(row, "elapsed") < 0) {
            malformed += isHeader ? 0 : 1;
            firstLeftOut = leftOut++ == 0 ? row.getStartingLineNumber() : firstLeftOut;
            return;
        }
        read++;
        boolean isTransaction = text(row, "responsemessage").startsWith(TRANSACTION);
        if (labels.size() < MAX_LABELS) {
            labels.add(text(row, "label"));
        }
        if (label == null ? !isTransaction : label.equals(text(row, "label"))) {
            add(row);
        } else {
            transactions += label == null ? 1 : 0;
        }
    }

    private void add(CsvRecord row) {
        long at = number(row, "timestamp");
        long millis = number(row, "elapsed");
        start = Math.min(start, at);
        end = Math.max(end, at + millis);
        users = Math.max(users, number(row, "allthreads"));
        boolean isAnswered = !text(row, "responsecode").contains(TIMED_OUT)
                || text(row, "responsemessage").toLowerCase(Locale.ROOT).contains("connect");
        boolean isRight = !text(row, "success").equals("false");
        long elapsed = Math.min(millis * MS, Latency.MAX);
        errors += isRight ? 0 : 1;
        if (!isRight && isAnswered) {
            failureNanos.recordValue(elapsed);
            return;
        }
        nanos.recordValue(elapsed);
        least = Math.min(least, millis);
        leastUnanswered = isRight ? leastUnanswered : Math.min(leastUnanswered, elapsed);
    }

    private String text(CsvRecord row, String column) {
        int at = columns.getOrDefault(column, Integer.MAX_VALUE);
        return at < row.getFieldCount() ? row.getField(at) : "";
    }

    /** -1 when it is not a number. */
    private long number(CsvRecord row, String column) {
        String text = text(row, column);
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }

    private ResultFile result(Path file) throws IOException {
        if (read == 0 && leftOut == 0) {
            throw new IOException("it contains no samples");
        }
        if (read == 0 || malformed * ONE_IN > read) {
            throw new IOException(
                    "line %d is not a sample, and %d of %d rows are malformed: each needs a start in ms since"
                                    .formatted(firstLeftOut, malformed, read + malformed)
                            + " 1970 and a time in ms (jmeter.save.saveservice.timestamp_format=ms)");
        }
        if (start > end) {
            throw new IOException("it contains no samples with the label '" + label + "'; its labels are "
                    + String.join(", ", labels));
        }
        Map<String, String> settings = new LinkedHashMap<>(Map.of(ForeignResult.GENERATOR, "JMeter"));
        if (transactions > 0) {
            settings.put("left_out", transactions + " rows of transaction controllers, which sum other rows");
        }
        if (leftOut > 0) {
            settings.put(
                    ForeignResult.BROKEN,
                    leftOut == 1
                            ? "1 row that is not a sample was left out, on line " + firstLeftOut
                            : leftOut + " rows that are not samples were left out, the first on line " + firstLeftOut);
        }
        // Samples that were never answered count with the time that was waited.
        Latency latency = Latency.of(nanos, leastUnanswered);
        Contestant contestant = Contestant.of(
                        label == null ? "all samples" : label,
                        Contestant.Role.OURS,
                        settings,
                        List.of(metrics(latency, (end - start) / 1e3)))
                .drawn(latency.curve(), null);
        return ForeignResult.load("JMeter", file, contestant);
    }

    private Map<String, Double> metrics(Latency latency, double seconds) {
        long failures = failureNanos.getTotalCount();
        long count = nanos.getTotalCount() + failures;
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("count", (double) count);
        if (seconds > 0) {
            metrics.put("tps", (count - errors) / seconds);
            metrics.put("seconds", seconds);
        }
        times(metrics, "", latency, "50", "90", "95", "99", "99.9");
        if (nanos.getTotalCount() > 0) {
            metrics.put("min_ms", (double) least);
        }
        metrics.put("errors", (double) errors);
        if (errors > failures) {
            metrics.put("unanswered", (double) (errors - failures));
            put(metrics, "unanswered_min_ms", latency.leastUnanswered());
        }
        if (failures > 0) {
            metrics.put("failures", (double) failures);
            times(metrics, "failure_", Latency.of(failureNanos), "50", "99");
        }
        if (users > 0) {
            metrics.put("users_max", (double) users);
        }
        return metrics;
    }

    private static void times(Map<String, Double> metrics, String prefix, Latency latency, String... percents) {
        put(metrics, prefix + "mean_ms", latency.mean());
        for (String percent : percents) {
            OptionalLong time = latency.percentile(Double.parseDouble(percent));
            put(metrics, prefix + "p" + percent.replace(".", "") + "_ms", time);
        }
        put(metrics, prefix + "max_ms", latency.max());
    }

    private static void put(Map<String, Double> metrics, String key, OptionalLong nanos) {
        nanos.ifPresent(value -> metrics.put(key, value / (double) MS));
    }
}
