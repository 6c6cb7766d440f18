package dev.penstock.races.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.races.messages.MessageWork.HandlerTime;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HandlerTimeTest {
    private static final HandlerTime SPREAD = new HandlerTime(50, 200);

    @Test
    void isUniformAndTheSameForAllContestants() {
        var times = IntStream.range(0, 100_000)
                .map(number -> SPREAD.millis(3, number))
                .summaryStatistics();

        assertThat(times.getMin()).isEqualTo(50);
        assertThat(times.getMax()).isEqualTo(200);
        assertThat(times.getAverage()).isCloseTo(125, within(0.5));
        assertThat(SPREAD.millis(3, 17)).isEqualTo(SPREAD.millis(3, 17));
    }

    @Test
    void ceilingIsInFlightDividedByTheMeanTime() {
        assertThat(SPREAD.ceiling(500)).isEqualTo(4_000);
        assertThat(new HandlerTime(20, 20).ceiling(500)).isEqualTo(25_000);
        assertThat(HandlerTime.NONE.ceiling(500)).isZero();
    }
}
