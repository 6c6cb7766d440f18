package dev.penstock.lab.compare.check;

import dev.penstock.lab.compare.foreign.ResultSource;
import dev.penstock.lab.report.ResultFile;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file with results of any kind, checked.
 *
 * @param rows how many rows it has
 * @param findings what is wrong with them
 */
public record TableFile(int rows, List<Finding> findings) {
    /** Bound on a table that is read: 4 MB. */
    public static final long MOST_BYTES = 4L << 20;

    /** Copies the findings. */
    public TableFile {
        findings = List.copyOf(findings);
    }

    /** Whether something in it cannot be true. */
    public boolean isImpossible() {
        return findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.IMPOSSIBLE);
    }

    /**
     * Reads a result file of ours, a JTL file of JMeter, a summary of k6, or a table in CSV or Markdown, and checks it.
     *
     * @param file which
     * @param label of a JTL file the label whose samples count; null for all
     * @throws IOException when it cannot be read or holds no results, in one line that says which file and what to do
     */
    public static TableFile check(Path file, @Nullable String label) throws IOException {
        Optional<ResultFile> results = ResultSource.readIfAny(file, label);
        if (results.isPresent()) {
            return new TableFile(TableCheck.rows(results.get()).size(), TableCheck.of(results.get()));
        }
        List<List<ResultRow>> tables = tables(file);
        List<Finding> findings = new ArrayList<>();
        tables.forEach(rows -> findings.addAll(TableCheck.of(rows)));
        return new TableFile(tables.stream().mapToInt(List::size).sum(), findings);
    }

    private static List<List<ResultRow>> tables(Path file) throws IOException {
        if (Files.size(file) > MOST_BYTES) {
            throw new IOException(file + " is beyond " + (MOST_BYTES >> 20) + " MB: give a table of results");
        }
        List<List<ResultRow>> tables;
        try {
            tables = TableText.tables(Files.readString(file, StandardCharsets.UTF_8));
        } catch (CharacterCodingException e) {
            throw new IOException(file + " is no UTF-8 text: save the table as CSV in UTF-8", e);
        }
        if (tables.isEmpty()) {
            throw new IOException(file + " holds no table of results: give one in CSV or Markdown with headings such as"
                    + " label, count, users, time, mean, p50, p90, p99, max, errors, TPS");
        }
        return tables;
    }
}
