package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.limit.ThroughputCurve.Change;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

class SlopeSearchTest {
    private static final long SECOND = 1_000_000_000;
    private static final double NO_CAP = Double.POSITIVE_INFINITY;

    private final ThroughputCurve curve = new ThroughputCurve();
    private final LoadWindow turn = new LoadWindow();
    private final SlopeSearch search = new SlopeSearch(curve, turn, 100, 10, 400);
    private int permits = 100;
    private long now;

    /** A second with the current permits, at a target with this throughput. */
    private void turn(IntToDoubleFunction perSecond, double cap) {
        long answers = Math.round(perSecond.applyAsDouble(permits));
        turn.clear();
        turn.add(new LoadSample(now, now + SECOND, answers, permits * SECOND, 0, 0, 0, 0, permits, 0, 1));
        now += SECOND;
        Change change = curve.add(permits, answers, turn.variance(), 1);
        curve.fit(search.level());
        turn.recordNoise();
        int next = search.next(now, permits, change, cap);
        turn.end(permits);
        permits = next;
    }

    private void turns(int count, IntToDoubleFunction perSecond) {
        for (int i = 0; i < count; i++) {
            turn(perSecond, NO_CAP);
        }
    }

    @Test
    void climbsWhileThroughputGrowsInProportion() {
        turns(3, inFlight -> 10.0 * inFlight);
        assertThat(search.level()).isGreaterThan(150);
        assertThat(search.falls()).isFalse();
        turns(10, inFlight -> 10.0 * inFlight);
        assertThat(permits).as("the upper bound").isBetween(380, 400);
    }

    @Test
    void descendsWhereThroughputFalls() {
        turns(2, inFlight -> 100_000.0 / inFlight);
        assertThat(search.falls()).isTrue();
        assertThat(search.level()).isLessThan(100);
        turns(60, inFlight -> 100_000.0 / inFlight);
        assertThat(search.level()).as("the lower bound").isEqualTo(10);
    }

    @Test
    void doesNotClimbWhereThroughputIsFlat() {
        for (int i = 0; i < 60; i++) {
            turns(1, inFlight -> 500);
            assertThat(search.level()).isBetween(90.0, 100.0);
        }
    }

    @Test
    void stopsClimbingAboveTheKnee() {
        turns(60, inFlight -> 10.0 * Math.min(170, inFlight));
        assertThat(search.level()).isBetween(170.0, 300.0);
    }

    @Test
    void stopsClimbingAtAPeak() {
        turns(60, inFlight -> inFlight <= 170 ? 10.0 * inFlight : 1_700 - 20.0 * (inFlight - 170));
        assertThat(search.level()).isBetween(160.0, 190.0);
    }

    @Test
    void isBoundedByTheCap() {
        for (int i = 0; i < 20; i++) {
            turn(inFlight -> 10.0 * inFlight, 120);
            assertThat(permits).isLessThanOrEqualTo(120);
        }
        assertThat(search.level()).isBetween(119.9, 120.0);
    }

    @Test
    void triesFewerFirstAfterACutForTheDeadline() {
        search.restartAt(50);
        search.goDown();
        permits = 50;
        turns(1, inFlight -> 500);
        assertThat(permits).isLessThan(50);
    }

    @Test
    void aTryIsFartherAwayTheMoreNoiseThereIs() {
        turns(1, inFlight -> 10.0 * inFlight);
        int quiet = permits;
        for (int i = 0; i < 20; i++) {
            turn.clear();
            turn.add(new LoadSample(0, SECOND, 10, 100 * SECOND, 0, 0, 0, 0, 100, 0, 1));
            turn.add(new LoadSample(0, SECOND, 90, 10 * SECOND, 0, 0, 0, 0, 100, 0, 1));
            turn.recordNoise();
        }
        curve.clear();
        permits = 100;
        curve.add(100, 1_000, 1, 1);
        curve.fit(100);
        assertThat(search.next(now, 100, Change.NONE, NO_CAP))
                .isGreaterThanOrEqualTo(quiet)
                .isEqualTo(125);
    }
}
