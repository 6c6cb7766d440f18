package dev.penstock.lab.page;

import java.util.List;

/**
 * What one plot shows, whoever draws it.
 *
 * @param id unique in the page
 * @param title what is shown
 * @param unit of the values; empty for numbers of something
 * @param main whether it is drawn large
 * @param fromZero whether its axis always starts at 0
 * @param x the axis across
 * @param across what the axis across tells, for those who do not see it
 * @param lines at least one with a known value
 * @param bands stretches of the axis across that are shaded
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
    /** Height of the drawing itself in pixels, without what stands around it. */
    private static final int LARGE = 280;

    private static final int SMALL = 150;

    /**
     * A shaded stretch.
     *
     * @param kind what it stands for, in a word
     * @param from where it begins
     * @param to where it ends
     * @param hatched whether it is hatched instead: what is in no figure
     */
    record Band(String kind, double from, double to, boolean hatched) {}

    /** Copies the lists. */
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

    /** The axis upwards. */
    Axis y() {
        return fromZero ? Axis.fromZero(most()) : Axis.fitting(least(), most());
    }

    /** What is drawn, in a sentence for those who do not see it. */
    String description() {
        StringBuilder text = new StringBuilder("One line each for ")
                .append(String.join(", ", lines.stream().map(PlotLine::label).toList()))
                .append(". Across: ")
                .append(across)
                .append(". Upwards: ")
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
