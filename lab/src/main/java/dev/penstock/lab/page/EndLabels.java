package dev.penstock.lab.page;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Places names beside the ends of lines so that none covers another and each is near its line. Pure.
 *
 * <p>Names that would overlap become one block around the middle of their wishes (pool adjacent violators, Ayer et al., "An
 * Empirical Distribution Function for Sampling with Incomplete Information", 1955), and blocks are pushed back into the plot.
 * Where lines end so close together that a name would stand too far from its own, the names of the lowest rank among them are left
 * out, one after another: the legend has them all.
 */
final class EndLabels {
    /** No name stands further from its line's end than this many gaps. */
    static final double FAR = 2;

    private EndLabels() {}

    /**
     * A name that wants to stand somewhere.
     *
     * @param line whose name
     * @param end where its line ends, in pixels from the top
     * @param rank what stays where there is no room for all; the lowest first
     */
    record Wish(PlotLine line, double end, int rank) {}

    /**
     * A name that stands somewhere.
     *
     * @param wish what it wanted
     * @param y where its middle stands, in pixels from the top
     */
    record Placed(Wish wish, double y) {}

    /**
     * Places as many as fit.
     *
     * @param wishes in any order, each with a rank of its own
     * @param height of the plot in pixels
     * @param gap least distance between the middles of two names
     * @param most how many at most
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
                        .anyMatch(one -> Math.abs(one.y() - one.wish().end()) > FAR * block.gap()))
                .findFirst()
                .orElse(null);
    }

    /** The wishes, in the order of their ends, as blocks that do not overlap. */
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

    /** Names that stand close together, around the mean of where they want to be. */
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
