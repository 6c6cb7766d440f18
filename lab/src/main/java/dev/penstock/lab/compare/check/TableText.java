package dev.penstock.lab.compare.check;

import dev.penstock.lab.compare.foreign.CsvRows;
import dev.penstock.lab.compare.foreign.ForeignResult;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the tables of results in a text: Markdown tables, or else one table of separated values with headings. */
final class TableText {
    private static final List<Character> SEPARATORS = List.of(',', ';', '\t', '|');

    private TableText() {}

    /** One row of a table, and the line on which it starts. */
    private record Line(long number, List<String> cells) {}

    /**
     * The rows of each table; tables and columns without results are omitted.
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
                grid.add(new Line(number, cells(line)));
            } else if (!grid.isEmpty()) {
                if (grid.size() > 2 && grid.get(1).cells().stream().allMatch(cell -> cell.matches(":?-+:?"))) {
                    grid.remove(1);
                    grids.add(grid);
                }
                grid = new ArrayList<>();
            }
        }
        return grids;
    }

    private static List<String> cells(String line) {
        String inner = line.substring(1, line.length() - (line.endsWith("|") && line.length() > 1 ? 1 : 0));
        return Arrays.stream(inner.split("(?<!\\\\)\\|", -1)).map(String::strip).toList();
    }

    private static List<Line> separated(String text) throws IOException {
        List<Line> best = List.of();
        int most = 0;
        for (char separator : SEPARATORS) {
            List<Line> grid = new ArrayList<>();
            CsvRows rows = new CsvRows(new StringReader(text), separator);
            for (List<String> row = rows.next(); row != null; row = rows.next()) {
                grid.add(new Line(rows.line(), row));
            }
            int known = grid.isEmpty()
                    ? 0
                    : (int) grid.getFirst().cells().stream()
                            .filter(heading -> ColumnHeading.of(heading) != null)
                            .count();
            if (known > most) {
                most = known;
                best = grid;
            }
        }
        return best;
    }

    private static List<ResultRow> rows(List<Line> grid, List<String> notes) {
        List<@Nullable ColumnHeading> headings = new ArrayList<>();
        if (!grid.isEmpty()) {
            grid.getFirst().cells().forEach(cell -> headings.add(ColumnHeading.of(cell)));
        }
        List<ResultRow> rows = new ArrayList<>();
        List<Long> leftOut = new ArrayList<>();
        for (Line line : grid.subList(Math.min(1, grid.size()), grid.size())) {
            Map<String, PrintedNumber> figures = figures(headings, line.cells());
            if (figures.size() > 1) {
                rows.add(new ResultRow(name(headings, line.cells(), rows.size() + 1), figures));
            } else {
                leftOut.add(line.number());
            }
        }
        if (!rows.isEmpty() && !leftOut.isEmpty()) {
            notes.add(ForeignResult.leftOut(leftOut.size(), "line " + leftOut.getFirst()));
        }
        return rows;
    }

    private static Map<String, PrintedNumber> figures(List<@Nullable ColumnHeading> headings, List<String> cells) {
        Map<String, PrintedNumber> figures = new LinkedHashMap<>();
        for (int i = 0; i < Math.min(headings.size(), cells.size()); i++) {
            ColumnHeading heading = headings.get(i);
            if (heading == null || heading.key().equals(ColumnHeading.NAME)) {
                continue;
            }
            boolean percent = heading.key().equals("errors") && TableCell.isPercent(cells.get(i));
            ColumnHeading actual = percent ? new ColumnHeading("error_percent", "") : heading;
            PrintedNumber figure = TableCell.of(actual, cells.get(i));
            if (figure != null) {
                figures.putIfAbsent(actual.key(), figure);
            }
        }
        return figures;
    }

    private static String name(List<@Nullable ColumnHeading> headings, List<String> cells, int number) {
        for (int i = 0; i < Math.min(headings.size(), cells.size()); i++) {
            ColumnHeading heading = headings.get(i);
            if (heading != null
                    && heading.key().equals(ColumnHeading.NAME)
                    && !cells.get(i).isBlank()) {
                return cells.get(i);
            }
        }
        return "row " + number;
    }
}
