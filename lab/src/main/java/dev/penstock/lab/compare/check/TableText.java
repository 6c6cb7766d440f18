package dev.penstock.lab.compare.check;

import dev.penstock.lab.compare.foreign.CsvRows;
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

    /** The rows of each table; tables and columns without results are omitted. */
    static List<List<ResultRow>> tables(String text) throws IOException {
        List<List<List<String>>> grids = markdown(text);
        if (grids.isEmpty()) {
            grids = List.of(separated(text));
        }
        return grids.stream()
                .map(TableText::rows)
                .filter(rows -> !rows.isEmpty())
                .toList();
    }

    /** Markdown tables: lines that start with a bar, the second consisting of dashes. */
    private static List<List<List<String>>> markdown(String text) {
        List<List<List<String>>> grids = new ArrayList<>();
        List<List<String>> grid = new ArrayList<>();
        for (String line : (text + "\n\n").lines().map(String::strip).toList()) {
            if (line.startsWith("|")) {
                grid.add(cells(line));
            } else if (!grid.isEmpty()) {
                if (grid.size() > 2 && grid.get(1).stream().allMatch(cell -> cell.matches(":?-+:?"))) {
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

    private static List<List<String>> separated(String text) throws IOException {
        List<List<String>> best = List.of();
        int most = 0;
        for (char separator : SEPARATORS) {
            List<List<String>> grid = new ArrayList<>();
            CsvRows rows = new CsvRows(new StringReader(text), separator);
            for (List<String> row = rows.next(); row != null; row = rows.next()) {
                grid.add(row);
            }
            int known = grid.isEmpty()
                    ? 0
                    : (int) grid.getFirst().stream()
                            .filter(heading -> ColumnHeading.of(heading) != null)
                            .count();
            if (known > most) {
                most = known;
                best = grid;
            }
        }
        return best;
    }

    private static List<ResultRow> rows(List<List<String>> grid) {
        List<@Nullable ColumnHeading> headings = new ArrayList<>();
        if (!grid.isEmpty()) {
            grid.getFirst().forEach(cell -> headings.add(ColumnHeading.of(cell)));
        }
        List<ResultRow> rows = new ArrayList<>();
        for (List<String> cells : grid.subList(Math.min(1, grid.size()), grid.size())) {
            Map<String, PrintedNumber> figures = figures(headings, cells);
            if (figures.size() > 1) {
                rows.add(new ResultRow(name(headings, cells, rows.size() + 1), figures));
            }
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
