package dev.penstock.lab.simulate;

import dev.penstock.lab.measure.TimeLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * When and how connections are closed: each window of a schedule uses one way, in rotation. Pure.
 *
 * @param when the windows
 * @param inTurn the ways of windows 1, 2 and so on, repeated; at least one
 */
public record Closings(FaultSchedule when, List<Closing> inTurn) {
    /** Never. */
    public static final Closings NEVER = new Closings(FaultSchedule.NEVER, List.of(Closing.HEADER));

    /**
     * Checks that there is a way.
     *
     * @throws IllegalArgumentException when there is none; the message lists the possible ways
     */
    public Closings {
        inTurn = List.copyOf(inTurn);
        if (inTurn.isEmpty()) {
            throw new IllegalArgumentException("choose how connections are closed: "
                    + Arrays.stream(Closing.values()).map(Closing::word).collect(Collectors.joining(", ")));
        }
    }

    /** The way of a window, from 1. */
    public Closing way(long window) {
        return inTurn.get((int) ((window - 1) % inTurn.size()));
    }

    /** The way of the window open at this time; null when none is open. */
    public @Nullable Closing at(long nanos) {
        long window = when.window(nanos);
        return window == 0 ? null : way(window);
    }

    /** The windows that open within a time, for a time line that starts with the schedule. */
    public List<TimeLine.Fault> within(Duration time) {
        double every = when.every().toNanos() / 1e9;
        double open = when.lasting().toNanos() / 1e9;
        List<TimeLine.Fault> faults = new ArrayList<>();
        for (long window = 1; window * every < time.toNanos() / 1e9; window++) {
            faults.add(new TimeLine.Fault(way(window).word(), window * every, window * every + open));
        }
        return faults;
    }

    @Override
    public String toString() {
        String ways = inTurn.stream().map(Closing::word).collect(Collectors.joining(", "));
        return ways + (inTurn.size() > 1 ? " in turn " : " ") + when;
    }
}
