package dev.penstock.kit;

import dev.penstock.Ticker;
import dev.penstock.flow.Flow;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;

/** Checks that a flow whose transactions have all ended holds nothing any more. */
public final class LeakCheck {
    private static final long PATIENCE_SECONDS = 60;

    private LeakCheck() {}

    /**
     * Waits until the flow has no transaction, no permit that is out, no place in a queue that is taken, no request in an open
     * batch, and no stray call: threads of batches and of interrupted calls end a moment after their callers have returned.
     *
     * @throws AssertionError when that takes longer than 60 s of real time; it says what is held
     */
    public static void assertNothingHeld(Flow<?, ?> flow) {
        long end = Ticker.SYSTEM.nanos() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        for (String held = held(flow); !held.isEmpty(); held = held(flow)) {
            if (Ticker.SYSTEM.nanos() - end >= 0) {
                throw new AssertionError("the flow " + flow.name() + " still holds: " + held);
            }
            Thread.yield();
        }
    }

    /** What each stage holds. What is under way at the target is counted by the permits that are out, if there is a limit. */
    private static String held(Flow<?, ?> flow) {
        StringJoiner held = new StringJoiner("; ");
        flow.stages().forEach(stage -> {
            if (stage.inFlight() != 0) {
                held.add("%s %d (%s)".formatted(stage.stage(), stage.inFlight(), stage.note()));
            }
        });
        if (flow.strayCalls() != 0) {
            held.add("stray calls " + flow.strayCalls());
        }
        return held.toString();
    }
}
