package dev.penstock.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.limit.LimitController.Plateau;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PlateauTest {
    private static final double SURE = 1e-6;

    private final ThroughputCurve curve = new ThroughputCurve();

    /** A target that serves so many at once, in 100 ms each: a hard knee. */
    private void seen(int... inFlight) {
        for (int permits : inFlight) {
            curve.add(permits, 10.0 * Math.min(170, permits), SURE, 1);
        }
    }

    @Test
    void itIsFlatFromTheKneeAndSlowerAboveIt() {
        seen(150, 160, 170, 180, 190);
        Plateau flat = Objects.requireNonNull(curve.plateau());
        assertThat(flat.from()).isEqualTo(170);
        assertThat(flat.at()).isEqualTo(190);
        assertThat(flat.slower()).isBetween(0.117, 0.119); // 190 / 170
    }

    @Test
    void whereItStillRisesNothingIsFlat() {
        seen(100, 120, 140, 160);
        assertThat(curve.plateau()).isNull();
    }

    @Test
    void onePointOrNoneIsNoCurve() {
        assertThat(curve.plateau()).isNull();
        seen(100);
        assertThat(curve.plateau()).isNull();
    }

    @Test
    void aDoubtfulPointMayBeAsGoodAsTheBest() {
        seen(170, 180);
        curve.add(150, 10.0 * 140, 0.01, 1); // may as well be as good as the others
        assertThat(Objects.requireNonNull(curve.plateau()).from()).isEqualTo(150);
    }

    @Test
    void whatWasSeenLongAgoDoesNotCount() {
        seen(150, 170);
        curve.add(190, 1_700, SURE, 20);
        assertThat(curve.plateau()).isNull();
    }
}
