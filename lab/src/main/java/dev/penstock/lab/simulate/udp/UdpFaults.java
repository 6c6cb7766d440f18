package dev.penstock.lab.simulate.udp;

import dev.penstock.lab.simulate.Delay;
import dev.penstock.text.Durations;
import dev.penstock.text.Ranges;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Draws the faults of a datagram.
 *
 * @param delay the delay of its answer
 * @param dropped the share of datagrams dropped, 0 to 1
 * @param twice the share of datagrams answered twice, 0 to 1
 * @param heldBack the share of answers held back, so that later ones overtake them, 0 to 1
 * @param holding how long
 */
record UdpFaults(Delay delay, double dropped, double twice, double heldBack, Duration holding) {
    static final UdpFaults NONE = new UdpFaults(Delay.NONE, 0, 0, 0, Duration.ofMillis(10));

    /** The number of answers of a dropped datagram. */
    static final int DROPPED = 0;

    UdpFaults {
        double _ = Ranges.share("the share of dropped datagrams", dropped);
        double _ = Ranges.share("the share of datagrams answered twice", twice);
        double _ = Ranges.share("the share of answers held back", heldBack);
        Duration _ = Ranges.positive("the time for which answers are held back", holding);
    }

    /** The number of answers of the next datagram. */
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

    /** The delay of the next answer, in nanoseconds. */
    long lateness(boolean isHeldBack, RandomGenerator random) {
        return delay.nanos(random) + (isHeldBack ? Durations.nanos(holding) : 0);
    }

    /** A share of 0 draws no random number, so that adding a fault does not change the others. */
    private static boolean hit(double share, RandomGenerator random) {
        return share > 0 && random.nextDouble() < share;
    }
}
