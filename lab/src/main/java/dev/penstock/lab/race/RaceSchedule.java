package dev.penstock.lab.race;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What is still to run, and how long that takes: as planned at first, then as the blocks of the same course took so far.
 *
 * <p>For one thread.
 */
final class RaceSchedule {
    /** One course's blocks. */
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

    /** Adds a course behind those it has. */
    void add(int blocks, Duration each) {
        parts.add(new Part(blocks, each));
    }

    /** Notes that a block of a course is over. */
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

    /** How long it is still going to take, a block that has begun being counted whole. */
    Duration left() {
        double nanos = parts.stream()
                .mapToDouble(part -> Math.max(0, part.blocks - part.done) * part.blockNanos())
                .sum();
        return Duration.ofNanos((long) nanos);
    }
}
