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
    record Wish(PlotLine line, double end, int rank) {}

    /**
     * A placed label.
     *
     * @param wish the label
     * @param y its vertical middle, in pixels from the top
     */
    record Placed(Wish wish, double y) {}

    /**
     * Places as many labels as fit.
     *
     * @param wishes in any order, with distinct ranks
     * @param height of the plot in pixels
     * @param gap minimum distance between the middles of two labels
     * @param most maximum number of labels
     * @return from top to bottom
     */
    static List<Placed> place(List<Wish> wishes, double height, double gap, int most) {
        List<Wish> kept = new ArrayList<>(wishes.stream()
                .sorted(Comparator.comparingInt(Wish::rank))
                .limit((long) Math.min(most, Math.floor(height / gap) + 1))
                .sorted(Comparator.comparingDouble(Wish::end))
                .toList());
        List<Block> blocks = blocks(kept, height, gap);
        for (Block stretched = stretched(blocks); stretched != null; stretched = stretched(blocks)) {
            kept.remove(Collections.max(stretched.wishes(), Comparator.comparingInt(Wish::rank)));
            blocks = blocks(kept, height, gap);
        }
        return blocks.stream().flatMap(block -> block.placed().stream()).toList();
    }

    private static @Nullable Block stretched(List<Block> blocks) {
        return blocks.stream()
                .filter(block -> block.placed().stream()
                        .anyMatch(one -> Math.abs(one.y() - one.wish().end()) > MAX_DISTANCE * block.gap()))
                .findFirst()
                .orElse(null);
    }

    /** Groups the labels, ordered by line end, into blocks that do not overlap. */
    private static List<Block> blocks(List<Wish> down, double height, double gap) {
        List<Block> blocks = new ArrayList<>();
        for (Wish wish : down) {
            Block block = new Block(List.of(wish), wish.end(), height, gap);
            while (!blocks.isEmpty() && block.top() < blocks.getLast().bottom() + gap - 1e-9) {
                block = blocks.removeLast().with(block);
            }
            blocks.add(block);
        }
        return blocks;
    }

    /** Adjacent labels, around the mean of their desired positions. */
    private record Block(List<Wish> wishes, double middle, double height, double gap) {
        double top() {
            return Math.clamp(middle - length() / 2, 0, Math.max(0, height - length()));
        }

        double bottom() {
            return top() + length();
        }

        Block with(Block below) {
            List<Wish> both = new ArrayList<>(wishes);
            both.addAll(below.wishes);
            double mean = both.stream().mapToDouble(Wish::end).average().orElse(middle);
            return new Block(both, mean, height, gap);
        }

        List<Placed> placed() {
            List<Placed> placed = new ArrayList<>();
            for (Wish wish : wishes) {
                placed.add(new Placed(wish, top() + placed.size() * gap));
            }
            return placed;
        }

        private double length() {
            return (wishes.size() - 1) * gap;
        }
    }
}
