package dev.penstock.lab.simulate.udp;

import dev.penstock.Durations;
import dev.penstock.lab.simulate.Delay;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Draws what becomes of a datagram.
 *
 * @param delay how late its answer is
 * @param dropped the share that is thrown away, 0 to 1
 * @param twice the share whose answer is sent twice, 0 to 1
 * @param heldBack the share whose answer is held back, so that later ones overtake it, 0 to 1
 * @param holding for how long
 */
record UdpFaults(Delay delay, double dropped, double twice, double heldBack, Duration holding) {
    static final UdpFaults NONE = new UdpFaults(Delay.NONE, 0, 0, 0, Duration.ofMillis(10));

    /** For a datagram that is not answered. */
    static final int DROPPED = 0;

    UdpFaults {
        share("share that is dropped", dropped);
        share("share that is answered twice", twice);
        share("share that is held back", heldBack);
        if (holding.isNegative() || holding.isZero()) {
            throw new IllegalArgumentException(
                    "what is held back is held for more than " + Durations.words(Duration.ZERO));
        }
    }

    private static void share(String what, double share) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("the " + what + " is 0 to 1, not " + share);
        }
    }

    /** How often the next datagram is answered. */
    int answers(RandomGenerator random) {
        if (hit(dropped, random)) {
            return DROPPED;
        }
        return hit(twice, random) ? 2 : 1;
    }

    /** Whether the next answer is held back. */
    boolean holdsBack(RandomGenerator random) {
        return hit(heldBack, random);
    }

    /** How late the next answer is, in nanoseconds. */
    long lateness(boolean isHeldBack, RandomGenerator random) {
        return delay.nanos(random) + (isHeldBack ? Durations.nanos(holding) : 0);
    }

    /** What never happens costs no chance, so that one fault more leaves the others as they were. */
    private static boolean hit(double share, RandomGenerator random) {
        return share > 0 && random.nextDouble() < share;
    }
}
