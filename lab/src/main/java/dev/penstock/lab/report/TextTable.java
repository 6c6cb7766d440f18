package dev.penstock.lab.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A table as aligned text or Markdown. The first column is for names, the others for numbers. */
public final class TextTable {
    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();

    /** A table without rows. */
    public TextTable(List<String> headings) {
        this.headings = List.copyOf(headings);
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException when the numbers of cells and headings differ
     */
    public void row(List<String> cells) {
        if (cells.size() != headings.size()) {
            throw new IllegalArgumentException(cells.size() + " cells do not fit " + headings.size() + " headings");
        }
        rows.add(List.copyOf(cells));
    }

    /** As aligned text: minimal column widths, two spaces between columns, a line feed after each line. */
    public String text() {
        int[] widths = new int[headings.size()];
        Arrays.setAll(widths, i -> width(i));
        StringBuilder text = new StringBuilder();
        line(text, headings, widths);
        rows.forEach(row -> line(text, row, widths));
        return text.toString();
    }

    /** As a Markdown table. */
    public String markdown() {
        StringBuilder text = new StringBuilder();
        markdownLine(text, headings);
        text.append("|---|").append("---:|".repeat(headings.size() - 1)).append('\n');
        rows.forEach(row -> markdownLine(text, row));
        return text.toString();
    }

    private int width(int column) {
        int widest = headings.get(column).length();
        for (List<String> row : rows) {
            widest = Math.max(widest, row.get(column).length());
        }
        return widest;
    }

    private static void line(StringBuilder text, List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = cells.get(i);
            String gap = " ".repeat(widths[i] - cell.length());
            line.append(i == 0 ? cell + gap : "  " + gap + cell);
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    private static void markdownLine(StringBuilder text, List<String> cells) {
        text.append(cells.stream()
                .map(cell -> cell.replace("|", "\\|").replace('\n', ' '))
                .collect(Collectors.joining(" | ", "| ", " |\n")));
    }
}
