package dev.penstock.udp.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.kit.ManualTicker;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RoundTripTest {
    private static final long MS = 1_000_000;

    private final ManualTicker ticker = new ManualTicker(Long.MAX_VALUE - 1);
    private final RoundTrip trip = RoundTrip.between(20 * MS, 10_000 * MS);

    private static RandomGenerator never() {
        return () -> 0;
    }

    private void answers(int count, long nanos) {
        for (int i = 0; i < count; i++) {
            trip.answered(nanos);
        }
    }

    @Test
    void waitsOneSecondBeforeTheFirstMeasurement() {
        assertThat(trip.timeout()).isEqualTo(1_000 * MS);
    }

    @Test
    void firstMeasurementIsTheMeanAndHalfOfItTheDeviation() {
        trip.answered(100 * MS);
        assertThat(trip.timeout()).isEqualTo(300 * MS);
    }

    @Test
    void waitsLittleLongerThanASteadyPeerTakes() {
        answers(100, 100 * MS);
        assertThat(trip.timeout()).isBetween(100 * MS, 101 * MS);
        assertThat(trip.setting().reason()).contains("100 answers took 100 ms on average");
    }

    @Test
    void waitsLongerForAVariablePeer() {
        for (int i = 0; i < 100; i++) {
            trip.answered((i % 2 == 0 ? 50 : 150) * MS);
        }
        assertThat(trip.timeout()).isBetween(250 * MS, 350 * MS);
    }

    @Test
    void staysWithinItsBounds() {
        answers(100, 1_000);
        assertThat(trip.timeout()).isEqualTo(20 * MS);
        answers(100, 60_000 * MS);
        assertThat(trip.timeout()).isEqualTo(10_000 * MS);
    }

    @Test
    void doublesTheWaitOfEachAttemptUpToTheMaximum() {
        answers(100, 100 * MS);
        long first = trip.wait(1, never());
        assertThat(trip.wait(2, never())).isEqualTo(2 * first);
        assertThat(trip.wait(3, never())).isEqualTo(4 * first);
        assertThat(trip.wait(10, never())).isEqualTo(10_000 * MS);
    }

    @Test
    void addsUpToAQuarterAtRandom() {
        RandomGenerator random = new SplittableRandom(1);
        long shortest = Long.MAX_VALUE;
        long longest = 0;
        for (int i = 0; i < 1_000; i++) {
            long wait = trip.wait(1, random);
            shortest = Math.min(shortest, wait);
            longest = Math.max(longest, wait);
        }
        assertThat(shortest).isBetween(1_000 * MS, 1_010 * MS);
        assertThat(longest).isBetween(1_240 * MS, 1_250 * MS);
    }

    @Test
    void measuresAPeerThatBecameSlower() {
        answers(100, 50 * MS);
        long slower = 400 * MS;
        int unmeasured = 0;
        while (trip.timeout() < slower && unmeasured < 100) {
            long sentAt = ticker.nanos();
            ticker.advance(Duration.ofNanos(trip.timeout()));
            trip.overdue(sentAt, ticker.nanos());
            unmeasured++;
        }
        assertThat(unmeasured).isBetween(3, 4);
        trip.answered(slower);
        answers(20, slower);
        assertThat(trip.timeout()).isGreaterThan(slower);
    }

    @Test
    void simultaneousTimeoutsDoubleOnce() {
        answers(100, 100 * MS);
        long before = trip.timeout();
        long sentAt = ticker.nanos();
        ticker.advance(Duration.ofNanos(before));
        for (int i = 0; i < 1_000; i++) {
            trip.overdue(sentAt, ticker.nanos());
            ticker.advance(Duration.ofNanos(1));
        }
        assertThat(trip.timeout()).isEqualTo(2 * before);
    }

    @Test
    void answerToAFirstAttemptUndoesTheDoubling() {
        answers(100, 100 * MS);
        long before = trip.timeout();
        trip.overdue(ticker.nanos(), ticker.nanos());
        trip.answered(100 * MS);
        assertThat(trip.timeout()).isEqualTo(before);
    }

    @Test
    void pinnedValueIgnoresMeasurements() {
        RoundTrip pinned = RoundTrip.pinned(200 * MS, 10_000 * MS);
        pinned.answered(5_000 * MS);
        pinned.overdue(0, 1);
        assertThat(pinned.timeout()).isEqualTo(200 * MS);
        assertThat(pinned.wait(2, never())).isEqualTo(400 * MS);
    }
}
