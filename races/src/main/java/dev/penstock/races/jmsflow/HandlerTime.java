package dev.penstock.races.jmsflow;

import java.util.SplittableRandom;

/**
 * How long a handler takes for a message: nothing, or a wait, as for an answer from elsewhere. Immutable.
 *
 * @param least ms
 * @param most ms
 */
record HandlerTime(int least, int most) {
    /** As little as there is: the message is read and counted. */
    static final HandlerTime NONE = new HandlerTime(0, 0);

    /** For one message of a round; the same for all contestants. */
    int millis(long seed, int number) {
        return least == most ? least : new SplittableRandom(seed ^ number).nextInt(least, most + 1);
    }

    /** So many each second, with so many in flight, and nobody can be faster; 0 when nothing bounds it. */
    double ceiling(int inFlight) {
        return most == 0 ? 0 : inFlight * 2_000.0 / (least + most);
    }

    /** For people. */
    String words() {
        return most == 0 ? "no time" : least == most ? most + " ms" : least + " to " + most + " ms";
    }
}
