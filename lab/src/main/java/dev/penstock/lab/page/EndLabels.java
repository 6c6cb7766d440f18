package dev.penstock.lab.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Places names beside the ends of lines so that none covers another and each is near its line. Pure.
 *
 * <p>Names that would overlap become one block around the middle of their wishes (pool adjacent violators, Ayer et al., "An
 * Empirical Distribution Function for Sampling with Incomplete Information", 1955), and blocks are pushed back into the plot.
 * Where lines end so close together that a name would stand too far from its own, the names of the lowest rank are left out,
 * one after another: the legend has them all.
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
                .toList());
        List<Placed> placed = spread(kept, height, gap);
        while (placed.stream().anyMatch(one -> Math.abs(one.y() - one.wish().end()) > FAR * gap) && kept.size() > 1) {
            kept.removeLast();
            placed = spread(kept, height, gap);
        }
        return placed;
    }

    private static List<Placed> spread(List<Wish> wishes, double height, double gap) {
        List<Wish> down =
                wishes.stream().sorted(Comparator.comparingDouble(Wish::end)).toList();
        List<Block> blocks = new ArrayList<>();
        for (Wish wish : down) {
            blocks.add(new Block(1, wish.end(), height, gap));
            while (blocks.size() > 1
                    && blocks.getLast().top() < blocks.get(blocks.size() - 2).bottom() + gap - 1e-9) {
                Block below = blocks.removeLast();
                blocks.add(blocks.removeLast().with(below));
            }
        }
        List<Placed> placed = new ArrayList<>();
        for (Block block : blocks) {
            for (int i = 0; i < block.size(); i++) {
                placed.add(new Placed(down.get(placed.size()), block.top() + i * gap));
            }
        }
        return placed;
    }

    /** Names that stand close together, around the mean of where they want to be. */
    private record Block(int size, double middle, double height, double gap) {
        double top() {
            return Math.clamp(middle - length() / 2, 0, Math.max(0, height - length()));
        }

        double bottom() {
            return top() + length();
        }

        Block with(Block below) {
            int both = size + below.size;
            return new Block(both, (middle * size + below.middle * below.size) / both, height, gap);
        }

        private double length() {
            return (size - 1) * gap;
        }
    }
}
