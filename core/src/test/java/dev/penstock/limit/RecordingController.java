package dev.penstock.limit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Decides nothing: records what a limit reports to it. Thread-safe. */
class RecordingController implements LimitController {
    /** When it was asked to decide, and how many calls were in flight. */
    record Update(long now, int inFlight) {}

    final List<Update> updates = Collections.synchronizedList(new ArrayList<>());
    final List<String> restarts = Collections.synchronizedList(new ArrayList<>());
    final RateBound rate = new RateBound();
    /** The turn of all calls. */
    final Turn turn;

    volatile int permits;
    /** The number of permits from the next update on. */
    volatile int next;

    RecordingController(int permits) {
        this(permits, 0);
    }

    /** Failures count as refusals when they take less than {@code fastNanos}. */
    RecordingController(int permits, long fastNanos) {
        this.turn = new Turn(new Turn.Totals(), 0, permits, 0, fastNanos);
        this.permits = permits;
        this.next = permits;
    }

    @Override
    public int permits() {
        return permits;
    }

    @Override
    public String reason() {
        return "given";
    }

    @Override
    public Turn turn(long now) {
        return turn;
    }

    @Override
    public long pace(long now, long most) {
        return rate.reserve(now, most);
    }

    @Override
    public void update(long now, int inFlight) {
        updates.add(new Update(now, inFlight));
        permits = next;
    }

    @Override
    public void restart(int from, long now, String reason) {
        restarts.add("%d at %d: %s".formatted(from, now, reason));
    }
}
