package dev.penstock.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AdaptationTest {
    @Test
    void isOverWhenTwoSecondsGaveNineTenths() {
        List<Double> perSecond = List.of(20.0, 110.0, 60.0, 89.0, 90.0, 91.0, 100.0, 100.0, 100.0, 140.0, 100.0);

        assertThat(Adaptation.of(perSecond, 100)).isEqualTo(Map.of("first_10s", 90.0, "adapt_s", 4.0));
    }

    @Test
    void whatCannotBeToldIsNotThere() {
        assertThat(Adaptation.of(List.of(10.0, 10.0, 10.0), 100)).isEmpty();
        assertThat(Adaptation.of(List.of(), 100)).isEmpty();
        assertThat(Adaptation.of(List.of(100.0, 100.0), 100)).isEqualTo(Map.of("adapt_s", 0.0));
    }
}
