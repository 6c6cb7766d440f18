package dev.penstock.lab.page;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Places labels at the ends of lines so that they do not overlap and each is near its line. Pure.
 *
 * <p>Labels that would overlap are merged into a block around the mean of their desired positions (pool adjacent
 * violators, Ayer et al., "An Empirical Distribution Function for Sampling with Incomplete Information", 1955), and
 * blocks are moved into the plot. Where line ends are so close together that a label would be too far from its line,
 * the lowest-ranked labels are dropped, one at a time: the legend lists all lines.
 */
final class EndLabels {
    /** The maximum distance of a label from its line's end, in gaps. */
    static final double MAX_DISTANCE = 2;

    private EndLabels() {}

    /**
     * A label to place.
     *
     * @param line its line
     * @param end the line's end, in pixels from the top
     * @param rank priority when space is short; 0 is the highest
     */
    record EndLabel(PlotLine line, double end, int rank) {}

    /**
     * A placed label.
     *
     * @param label the label
     * @param y its vertical middle, in pixels from the top
     */
    record PlacedLabel(EndLabel label, double y) {}

    /**
     * Places as many labels as fit.
     *
     * @param labels in any order, with distinct ranks
     * @param height of the plot in pixels
     * @param gap minimum distance between the middles of two labels
     * @param most maximum number of labels
     * @return from top to bottom
     */
    static List<PlacedLabel> place(List<EndLabel> labels, double height, double gap, int most) {
        List<EndLabel> kept = new ArrayList<>(labels.stream()
                .sorted(Comparator.comparingInt(EndLabel::rank))
                .limit((long) Math.min(most, Math.floor(height / gap) + 1))
                .sorted(Comparator.comparingDouble(EndLabel::end))
                .toList());
        List<Block> blocks = blocks(kept, height, gap);
        for (Block misplaced = misplaced(blocks); misplaced != null; misplaced = misplaced(blocks)) {
            kept.remove(Collections.max(misplaced.labels(), Comparator.comparingInt(EndLabel::rank)));
            blocks = blocks(kept, height, gap);
        }
        return blocks.stream().flatMap(block -> block.placed().stream()).toList();
    }

    private static @Nullable Block misplaced(List<Block> blocks) {
        return blocks.stream()
                .filter(block -> block.placed().stream()
                        .anyMatch(one -> Math.abs(one.y() - one.label().end()) > MAX_DISTANCE * block.gap()))
                .findFirst()
                .orElse(null);
    }

    /** Groups the labels, ordered by line end, into blocks that do not overlap. */
    private static List<Block> blocks(List<EndLabel> ordered, double height, double gap) {
        List<Block> blocks = new ArrayList<>();
        for (EndLabel label : ordered) {
            Block block = new Block(List.of(label), label.end(), height, gap);
            while (!blocks.isEmpty() && block.top() < blocks.getLast().bottom() + gap - 1e-9) {
                block = blocks.removeLast().with(block);
            }
            blocks.add(block);
        }
        return blocks;
    }

    /** Adjacent labels, around the mean of their desired positions. */
    private record Block(List<EndLabel> labels, double middle, double height, double gap) {
        double top() {
            return Math.clamp(middle - length() / 2, 0, Math.max(0, height - length()));
        }

        double bottom() {
            return top() + length();
        }

        Block with(Block below) {
            List<EndLabel> both = new ArrayList<>(labels);
            both.addAll(below.labels);
            double mean = both.stream().mapToDouble(EndLabel::end).average().orElse(middle);
            return new Block(both, mean, height, gap);
        }

        List<PlacedLabel> placed() {
            List<PlacedLabel> placed = new ArrayList<>();
            for (EndLabel label : labels) {
                placed.add(new PlacedLabel(label, top() + placed.size() * gap));
            }
            return placed;
        }

        private double length() {
            return (labels.size() - 1) * gap;
        }
    }
}
