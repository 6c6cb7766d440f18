package dev.penstock.races.collapse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.lab.report.Tradeoff;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WaitingCurveTest {
    private final WaitingCurve curve = new WaitingCurve(200);

    @Test
    void addsHalfAWindowForOneCallPerWindowAndGap() {
        assertThat(curve.addedMillis(1 / 0.055))
                .as("a window of 50 ms, a gap of 5 ms")
                .isCloseTo(25, within(1e-9));
        assertThat(curve.callsPerSecond(25)).isCloseTo(1 / 0.055, within(1e-9));
        assertThat(curve.addedMillis(200)).isZero();
        assertThat(curve.addedMillis(201))
                .as("measured a little above the rate")
                .isZero();
    }

    /** Checks the claims of the design note by simulation: 200 random arrivals per second. */
    @Test
    void fixedBatchesLieOnItAndTimedWindowsAbove() {
        double[] bySize = waited(3, Double.MAX_VALUE);
        assertThat(bySize[1] / curve.addedMillis(bySize[0])).isCloseTo(1, within(0.03));

        double[] byTime = waited(Integer.MAX_VALUE, 0.010);
        assertThat(byTime[1] / curve.addedMillis(byTime[0])).as("two gaps long").isCloseTo(4.0 / 3, within(0.04));
    }

    /** Calls per second, and the mean wait of a request in ms. */
    private static double[] waited(int size, double window) {
        SplittableRandom random = new SplittableRandom(1);
        double now = 0;
        double opened = 0;
        double sumOfTimes = 0;
        int waiting = 0;
        double waits = 0;
        int calls = 0;
        int requests = 200_000;
        for (int i = 0; i < requests; i++) {
            now += random.nextExponential() / 200;
            if (waiting > 0 && now - opened > window) {
                waits += waiting * (opened + window) - sumOfTimes;
                waiting = 0;
                sumOfTimes = 0;
                calls++;
            }
            opened = waiting == 0 ? now : opened;
            waiting++;
            sumOfTimes += now;
            if (waiting == size) {
                waits += waiting * now - sumOfTimes;
                waiting = 0;
                sumOfTimes = 0;
                calls++;
            }
        }
        return new double[] {calls / now, 1_000 * waits / requests};
    }

    @Test
    void plotRangesFromFewCallsToOnePerRequest() {
        Tradeoff tradeoff = curve.tradeoff();

        assertThat(tradeoff.curve().getFirst().x()).isCloseTo(0.4, within(1e-9));
        assertThat(tradeoff.curve().getLast()).isEqualTo(new Tradeoff.Place(200, 0));
        assertThat(tradeoff.curve()).isSortedAccordingTo((a, b) -> Double.compare(a.x(), b.x()));
        assertThat(tradeoff.curve()).isSortedAccordingTo((a, b) -> Double.compare(b.y(), a.y()));
    }
}
