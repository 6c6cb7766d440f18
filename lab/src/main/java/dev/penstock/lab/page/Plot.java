package dev.penstock.lab.page;

import java.util.List;

/**
 * The content of one plot, independent of how it is drawn.
 *
 * @param id unique in the page
 * @param title the quantity
 * @param unit of the values; empty for plain numbers
 * @param main whether it is drawn large
 * @param fromZero whether its y axis always starts at 0
 * @param x the x axis
 * @param across the meaning of the x axis, for screen readers
 * @param lines at least one with a known value
 * @param bands shaded ranges of the x axis
 */
record Plot(
        String id,
        String title,
        String unit,
        boolean main,
        boolean fromZero,
        Axis x,
        String across,
        List<PlotLine> lines,
        List<Band> bands) {
    /** Height of the plot area in pixels, without labels. */
    private static final int LARGE = 280;

    private static final int SMALL = 150;

    /**
     * A shaded range.
     *
     * @param kind its meaning, in a word
     * @param from its start
     * @param to its end
     * @param hatched whether it is hatched instead: the warm-up
     */
    record Band(String kind, double from, double to, boolean hatched) {}

    Plot {
        lines = List.copyOf(lines);
        bands = List.copyOf(bands);
    }

    int height() {
        return main ? LARGE : SMALL;
    }

    double least() {
        return lines.stream().mapToDouble(PlotLine::least).min().orElse(0);
    }

    double most() {
        return lines.stream().mapToDouble(PlotLine::most).max().orElse(0);
    }

    /** The y axis. */
    Axis y() {
        return fromZero ? Axis.fromZero(most()) : Axis.fitting(least(), most());
    }

    /** A description for screen readers. */
    String description() {
        StringBuilder text = new StringBuilder("One line each for ")
                .append(String.join(", ", lines.stream().map(PlotLine::label).toList()))
                .append(". X axis: ")
                .append(across)
                .append(". Y axis: ")
                .append(inUnit(PageNumbers.number(least()) + " to " + PageNumbers.number(most())))
                .append('.');
        lines.stream()
                .filter(line -> line.ours() && Double.isFinite(line.least()))
                .forEach(line -> text.append(' ')
                        .append(line.label())
                        .append(": ")
                        .append(inUnit(PageNumbers.number(line.least()) + " to " + PageNumbers.number(line.most())))
                        .append('.'));
        return text.toString();
    }

    private String inUnit(String figures) {
        return unit.isEmpty() ? figures : figures + " " + unit;
    }
}
