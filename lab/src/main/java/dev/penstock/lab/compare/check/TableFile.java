package dev.penstock.lab.compare.check;

import dev.penstock.lab.compare.foreign.CsvRows;
import dev.penstock.lab.compare.foreign.ForeignResult;
import dev.penstock.lab.compare.foreign.ResultSource;
import dev.penstock.lab.report.ResultFile;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    private static final List<Character> SEPARATORS = List.of(',', ';', '\t', '|');

    public TableFile {
        findings = List.copyOf(findings);
        notes = List.copyOf(notes);
    }

    /** One row of a table, and the line on which it starts. */
    private record Line(long number, List<String> cells) {}

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
                    .map(contestant -> contestant.settings().get(ForeignResult.BROKEN))
                    .filter(Objects::nonNull)
                    .toList();
            return new TableFile(TableCheck.rows(results.get()).size(), TableCheck.of(results.get()), broken);
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(
                    file + " is larger than " + (MAX_BYTES >> 20) + " MB, the maximum of a table of results");
        }
        List<String> notes = new ArrayList<>();
        List<List<ResultRow>> tables;
        try {
            tables = tables(Files.readString(file, StandardCharsets.UTF_8), notes);
        } catch (CharacterCodingException e) {
            throw new IOException(file + " is not UTF-8 text: save the table as CSV in UTF-8", e);
        }
        if (tables.isEmpty()) {
            throw new IOException(file + " contains no table of results: use CSV or Markdown with headings such as"
                    + " label, count, users, time, mean, p50, p90, p99, max, errors, TPS");
        }
        List<Finding> findings = new ArrayList<>();
        tables.forEach(rows -> findings.addAll(TableCheck.of(rows)));
        return new TableFile(tables.stream().mapToInt(List::size).sum(), findings, notes);
    }

    /**
     * The rows of each table: Markdown tables, or else one table of separated values with headings. Tables and columns
     * without results are omitted.
     *
     * @param notes receives what rows were left out of a table with results
     */
    static List<List<ResultRow>> tables(String text, List<String> notes) throws IOException {
        List<List<Line>> grids = markdown(text);
        if (grids.isEmpty()) {
            grids = List.of(separated(text));
        }
        return grids.stream()
                .map(grid -> rows(grid, notes))
                .filter(rows -> !rows.isEmpty())
                .toList();
    }

    /** Markdown tables: lines that start with a bar, the second consisting of dashes. */
    private static List<List<Line>> markdown(String text) {
        List<List<Line>> grids = new ArrayList<>();
        List<Line> grid = new ArrayList<>();
        int number = 0;
        for (String line : (text + "\n\n").lines().map(String::strip).toList()) {
            number++;
            if (line.startsWith("|")) {
                String inner = line.substring(1, line.length() - (line.endsWith("|") && line.length() > 1 ? 1 : 0));
                grid.add(new Line(number, Arrays.asList(inner.split("(?<!\\\\)\\|", -1))));
            } else if (!grid.isEmpty()) {
                if (grid.size() > 2 && grid.get(1).cells().stream().allMatch(cell -> cell.matches("\\s*:?-+:?\\s*"))) {
                    grid.remove(1);
                    grids.add(grid);
                }
                grid = new ArrayList<>();
            }
        }
        return grids;
    }

    /** With the separator that makes the most known headings. */
    private static List<Line> separated(String text) throws IOException {
        List<Line> best = List.of();
        long most = 0;
        for (char separator : SEPARATORS) {
            List<Line> grid = new ArrayList<>();
            CsvRows rows = new CsvRows(new StringReader(text), separator);
            for (List<String> row = rows.next(); row != null; row = rows.next()) {
                grid.add(new Line(rows.line(), row));
            }
            List<String> headings = grid.isEmpty() ? List.of() : grid.getFirst().cells();
            long known = headings.stream()
                    .filter(heading -> Column.of(heading) != null)
                    .count();
            if (known > most) {
                most = known;
                best = grid;
            }
        }
        return best;
    }

    private static List<ResultRow> rows(List<Line> grid, List<String> notes) {
        List<ResultRow> rows = new ArrayList<>();
        List<Long> leftOut = new ArrayList<>();
        for (int i = 1; i < grid.size(); i++) {
            Line line = grid.get(i);
            ResultRow row = row(grid.getFirst().cells(), line.cells(), "row " + (rows.size() + 1));
            if (row.figures().size() > 1) {
                rows.add(row);
            } else {
                leftOut.add(line.number());
            }
        }
        if (!rows.isEmpty() && !leftOut.isEmpty()) {
            notes.add(ForeignResult.leftOut(leftOut.size(), "line " + leftOut.getFirst()));
        }
        return rows;
    }

    private static ResultRow row(List<String> headings, List<String> cells, String unnamed) {
        String name = "";
        Map<String, PrintedNumber> figures = new LinkedHashMap<>();
        for (int i = 0; i < Math.min(headings.size(), cells.size()); i++) {
            String cell = cells.get(i).strip();
            Column column = Column.of(headings.get(i));
            if (column == null) {
                continue;
            }
            PrintedNumber figure = column.with(cell).value(cell);
            if (column.key().equals(Column.NAME)) {
                name = name.isEmpty() ? cell : name;
            } else if (figure != null) {
                figures.putIfAbsent(column.with(cell).key(), figure);
            }
        }
        return new ResultRow(name.isEmpty() ? unnamed : name, figures, false);
    }
}
