package dev.penstock.lab.compare.check;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.penstock.lab.compare.check.ResultRow.Printed;
import dev.penstock.lab.compare.foreign.ForeignResult;
import dev.penstock.lab.compare.foreign.ResultSource;
import dev.penstock.lab.report.ResultFile;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The result of checking a file with results.
 *
 * @param rows the number of rows
 * @param findings the findings
 * @param notes what of the file was not checked, a sentence each
 */
public record TableFile(int rows, List<Finding> findings, List<String> notes) {
    private static final long MAX_BYTES = 4L << 20;
    /** Lines that start with a bar: headings, dashes, rows. */
    private static final Pattern MARKDOWN =
            Pattern.compile("(?m)^[ \\t]*(\\|.*)\\R[ \\t]*\\|[ \\t:|-]+\\R((?:[ \\t]*\\|.*(?:\\R|$))++)");

    /** Whether the file contains contradictions. */
    public boolean isImpossible() {
        return findings.stream().anyMatch(finding -> finding.severity() == Finding.Severity.IMPOSSIBLE);
    }

    /**
     * Reads and checks a Penstock result file, a JMeter JTL file, a k6 summary, or tables in CSV or Markdown.
     *
     * @param file the file
     * @param label for a JTL file, the label of the samples to count; null for all
     * @throws IOException when the file cannot be read or contains no results; the message names the file and says what
     *     to do
     */
    public static TableFile check(Path file, @Nullable String label) throws IOException {
        Optional<ResultFile> results = ResultSource.readIfAny(file, label);
        if (results.isPresent()) {
            ResultFile result = results.get();
            Stream<String> notes = result.contestants().stream()
                    .flatMap(each -> Stream.ofNullable(each.settings().get(ForeignResult.BROKEN)));
            return new TableFile(TableCheck.rows(result).size(), TableCheck.of(result), notes.toList());
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException(file + " is larger than 4 MB, the maximum of a table of results");
        }
        List<String> notes = new ArrayList<>();
        List<List<ResultRow>> tables;
        try {
            tables = tables(Files.readString(file).replace("\uFEFF", ""), notes);
        } catch (CharacterCodingException | CsvParseException e) {
            throw new IOException(file + " is not a table in UTF-8: save it as CSV in UTF-8", e);
        }
        if (tables.isEmpty()) {
            throw new IOException(file + " contains no table of results: use CSV or Markdown with headings such as"
                    + " label, count, time, mean, p50, p90, p99, max, errors, TPS");
        }
        List<Finding> findings =
                tables.stream().flatMap(rows -> TableCheck.of(rows).stream()).toList();
        return new TableFile(tables.stream().mapToInt(List::size).sum(), findings, List.copyOf(notes));
    }

    /**
     * The rows of each table: Markdown tables, or else one table of separated values with headings. Tables and columns
     * without results are omitted.
     *
     * @param notes receives how many rows were left out of a table with results
     */
    static List<List<ResultRow>> tables(String text, List<String> notes) {
        List<List<List<String>>> tables = MARKDOWN.matcher(text)
                .results()
                .map(table -> Stream.concat(
                                Stream.of(table.group(1)), table.group(2).lines())
                        .map(line ->
                                List.of(line.strip().replaceAll("^\\||\\|$", "").split("(?<!\\\\)\\|", -1)))
                        .toList())
                .toList();
        return (tables.isEmpty() ? List.of(separated(text)) : tables)
                .stream()
                        .map(table -> rows(table, notes))
                        .filter(rows -> !rows.isEmpty())
                        .toList();
    }

    /** With the separator that makes the most known headings. */
    private static List<List<String>> separated(String text) {
        String head = text.lines().findFirst().orElse("").replace("\"", "");
        Comparator<String> byHeadings =
                Comparator.comparingLong(separator -> Stream.of(head.split(Pattern.quote(separator), -1))
                        .filter(heading -> Column.of(heading) != null)
                        .count());
        return CsvReader.builder()
                .fieldSeparator(Stream.of(",", ";", "\t", "|").max(byHeadings).orElse(","))
                .allowExtraFields(true)
                .allowMissingFields(true)
                .allowExtraCharsAfterClosingQuote(true)
                .ofCsvRecord(text)
                .stream()
                .map(CsvRecord::getFields)
                .toList();
    }

    private static List<ResultRow> rows(List<List<String>> table, List<String> notes) {
        List<ResultRow> rows = IntStream.range(1, table.size())
                .mapToObj(i -> row("row " + i, table.getFirst(), table.get(i)))
                .filter(row -> row.figures().size() > 1)
                .toList();
        int leftOut = table.size() - 1 - rows.size();
        if (!rows.isEmpty() && leftOut > 0) {
            notes.add("rows without figures that were left out: " + leftOut);
        }
        return rows;
    }

    private static ResultRow row(String unnamed, List<String> headings, List<String> cells) {
        String name = "";
        Map<String, Printed> figures = new LinkedHashMap<>();
        for (int i = 0; i < Math.min(headings.size(), cells.size()); i++) {
            String cell = cells.get(i).strip();
            Column column = Column.of(headings.get(i));
            if (column != null && column.key().equals("name")) {
                name = name.isEmpty() ? cell : name;
            } else if (column != null) {
                Printed figure = column.with(cell).value(cell);
                if (figure != null) {
                    figures.putIfAbsent(column.with(cell).key(), figure);
                }
            }
        }
        return new ResultRow(name.isEmpty() ? unnamed : name, figures);
    }
}
