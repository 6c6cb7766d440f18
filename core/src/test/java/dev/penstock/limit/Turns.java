package dev.penstock.limit;

import dev.penstock.limit.LimitController.Outcome;

/** Turns whose calls have all been answered, for tests. */
final class Turns {
    private static final int CALLS = 200;
    private static final double SCATTER = 0.2;

    private Turns() {}

    /** Calls that took so long on average; half of them more, half of them less. */
    static Turn of(int permits, double nanos) {
        return of(permits, nanos, CALLS, SCATTER);
    }

    static Turn of(int permits, double nanos, int calls, double scatter) {
        Turn turn = new Turn(new Turn.Totals(), 0, permits, 0, 0);
        for (int call = 0; call < calls; call++) {
            turn.start(0);
            turn.end(0, (long) (nanos * (1 + (call % 2 == 0 ? scatter : -scatter))), Outcome.SUCCESS);
        }
        return turn;
    }
}
