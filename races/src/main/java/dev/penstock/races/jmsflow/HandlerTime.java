package dev.penstock.races.jmsflow;

import java.util.SplittableRandom;

/**
 * The time of a handler per message: nothing, or a wait, as for a remote answer. Immutable.
 *
 * @param least ms
 * @param most ms
 */
record HandlerTime(int least, int most) {
    /** The minimum: the message is read and counted. */
    static final HandlerTime NONE = new HandlerTime(0, 0);

    /** The time for one message of a round; the same for all contestants. */
    int millis(long seed, int number) {
        return least == most ? least : new SplittableRandom(seed ^ number).nextInt(least, most + 1);
    }

    /** The maximum messages per second with this many in flight; 0 when unlimited. */
    double ceiling(int inFlight) {
        return most == 0 ? 0 : inFlight * 2_000.0 / (least + most);
    }

    /** Readable. */
    String describe() {
        return most == 0 ? "no time" : least == most ? most + " ms" : least + " to " + most + " ms";
    }
}
