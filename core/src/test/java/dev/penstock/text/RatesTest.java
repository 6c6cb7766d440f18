package dev.penstock.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RatesTest {
    @ParameterizedTest
    @CsvSource({"500/s, 500", "0.5/s, 0.5", "99.95/s, 99.95", "10 / s, 10", "1000000/s, 1000000"})
    void readsWhatPeopleWrite(String text, double perSecond) {
        assertThat(Rates.parse(text)).isEqualTo(perSecond);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "500", "500/m", "-5/s", "1e3/s", "NaN/s", "/s", "12345678/s", ".5/s"})
    void refusesAllElse(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Rates.parse(text));
    }

    @Test
    void writesNoMoreDigitsThanPeopleNeed() {
        assertThat(Rates.format(500)).isEqualTo("500/s");
        assertThat(Rates.format(299.44)).isEqualTo("299.4/s");
        assertThat(Rates.format(0.1)).isEqualTo("0.1/s");
    }
}
