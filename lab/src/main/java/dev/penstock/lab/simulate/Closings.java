package dev.penstock.lab.simulate;

import dev.penstock.lab.measure.TimeLine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * In which way connections are closed when: each window of a schedule has one way, the ways take turns. Pure.
 *
 * @param when the windows
 * @param inTurn the way of window 1, of window 2 and so on; after the last the first again; at least one
 */
public record Closings(FaultSchedule when, List<Closing> inTurn) {
    /** No way, and no window in a hundred years. */
    public static final Closings NEVER = new Closings(FaultSchedule.NEVER, List.of(Closing.HEADER));

    /**
     * Checks that there is a way.
     *
     * @throws IllegalArgumentException when there is none, in one line that says what to do
     */
    public Closings {
        inTurn = List.copyOf(inTurn);
        if (inTurn.isEmpty()) {
            throw new IllegalArgumentException("say how connections are to be closed: "
                    + Arrays.stream(Closing.values()).map(Closing::word).collect(Collectors.joining(", ")));
        }
    }

    /** The way of a window, from 1 on. */
    public Closing way(long window) {
        return inTurn.get((int) ((window - 1) % inTurn.size()));
    }

    /** The way of the window that is open at that time; null when none is. */
    public @Nullable Closing at(long nanos) {
        long window = when.window(nanos);
        return window == 0 ? null : way(window);
    }

    /** The windows that open within a time, for a time line that begins with the schedule. */
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
