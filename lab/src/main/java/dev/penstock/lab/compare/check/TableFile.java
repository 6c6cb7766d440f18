package dev.penstock.lab.compare.check;

import dev.penstock.lab.compare.foreign.ForeignResult;
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
 * The result of checking a file with results.
 *
 * @param rows the number of rows
 * @param findings the findings
 * @param notes what of the file was not checked, a sentence each
 */
public record TableFile(int rows, List<Finding> findings, List<String> notes) {
    /** The maximum size of a table file: 4 MB. */
    public static final long MAX_BYTES = 4L << 20;

    public TableFile {
        findings = List.copyOf(findings);
        notes = List.copyOf(notes);
    }

    /** Whether the file contains contradictions. */
    public boolean isImpossible() {
        return findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.IMPOSSIBLE);
    }

    /**
     * Reads and checks a Penstock result file, a JMeter JTL file, a k6 summary, or a table in CSV or Markdown.
     *
     * @param file the file
     * @param label for a JTL file, the label of the samples to count; null for all
     * @throws IOException when the file cannot be read or contains no results; the message names the file and says what
     *     to do
     */
    public static TableFile check(Path file, @Nullable String label) throws IOException {
        Optional<ResultFile> results = ResultSource.readIfAny(file, label);
        if (results.isPresent()) {
            List<String> broken = results.get().contestants().stream()
                    .map(contestant -> contestant.settings().getOrDefault(ForeignResult.BROKEN, ""))
                    .filter(note -> !note.isEmpty())
                    .toList();
            return new TableFile(TableCheck.rows(results.get()).size(), TableCheck.of(results.get()), broken);
        }
        List<String> notes = new ArrayList<>();
        List<List<ResultRow>> tables = tables(file, notes);
        List<Finding> findings = new ArrayList<>();
        tables.forEach(rows -> findings.addAll(TableCheck.of(rows)));
        return new TableFile(tables.stream().mapToInt(List::size).sum(), findings, notes);
    }

    private static List<List<ResultRow>> tables(Path file, List<String> notes) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(
                    file + " is larger than " + (MAX_BYTES >> 20) + " MB, the maximum of a table of results");
        }
        List<List<ResultRow>> tables;
        try {
            tables = TableText.tables(Files.readString(file, StandardCharsets.UTF_8), notes);
        } catch (CharacterCodingException e) {
            throw new IOException(file + " is not UTF-8 text: save the table as CSV in UTF-8", e);
        }
        if (tables.isEmpty()) {
            throw new IOException(file + " contains no table of results: use CSV or Markdown with headings such as"
                    + " label, count, users, time, mean, p50, p90, p99, max, errors, TPS");
        }
        return tables;
    }
}
