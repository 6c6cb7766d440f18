package dev.penstock.limit.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.limit.simulate.Curve.Result;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class CurvesTest {
    @Test
    void theSameSeedsGiveTheSameFigures() {
        Function<Scenario, Tuner> ours = Contestants.ours().get("adaptive");
        Curve curve = Curves.ALL.getFirst();
        Result first = curve.of(ours, 2);
        assertThat(curve.of(ours, 2)).isEqualTo(first);
        assertThat(first.useful()).isPositive();
    }
}
