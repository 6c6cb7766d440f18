package dev.penstock.lab.race;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The remaining blocks and their duration: as planned at first, then the mean of the same course's completed blocks.
 *
 * <p>For one thread.
 */
final class RaceSchedule {
    /** The blocks of one course. */
    private static final class Part {
        final int blocks;
        final Duration planned;
        int done;
        long nanos;

        Part(int blocks, Duration planned) {
            this.blocks = blocks;
            this.planned = planned;
        }

        double blockNanos() {
            return done == 0 ? planned.toNanos() : (double) nanos / done;
        }
    }

    private final List<Part> parts = new ArrayList<>();

    /** Appends a course. */
    void add(int blocks, Duration each) {
        parts.add(new Part(blocks, each));
    }

    /** Records a completed block. */
    void done(int course, Duration took) {
        Part part = parts.get(course);
        part.done++;
        part.nanos += took.toNanos();
    }

    int blocks() {
        return parts.stream().mapToInt(part -> part.blocks).sum();
    }

    int done() {
        return parts.stream().mapToInt(part -> part.done).sum();
    }

    /** The remaining time; a block in progress counts in full. */
    Duration left() {
        double nanos = parts.stream()
                .mapToDouble(part -> Math.max(0, part.blocks - part.done) * part.blockNanos())
                .sum();
        return Duration.ofNanos((long) nanos);
    }
}
