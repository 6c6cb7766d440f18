package dev.penstock.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.Deadline;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @Test
    void lengthsBeyondAllBoundsDoNotOverflow() {
        assertThat(Durations.nanos(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Durations.LONGEST_NANOS);
        assertThat(Durations.nanos(Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo(-Durations.LONGEST_NANOS);
        assertThat(Deadline.in(Duration.ofSeconds(Long.MIN_VALUE)).left()).isNegative();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0s, 0",
        "250us, 250000",
        "200ms, 200000000",
        "2s, 2000000000",
        "1.5s, 1500000000",
        "0.0005ms, 500",
        "5m, 300000000000",
        "1h, 3600000000000",
        "350d, 30240000000000000",
    })
    void readsANumberAndItsUnit(String text, long nanos) {
        assertThat(Durations.parse(text)).isEqualTo(Duration.ofNanos(nanos));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "5",
                "s",
                "-1s",
                "+1s",
                "1 s",
                "1S",
                "1,5s",
                "1.s",
                ".5s",
                "1e3s",
                "1m30s",
                "5min",
                "9999999999999s"
            })
    void refusesWhatIsNoDurationInOneLineThatSaysWhatToWrite(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.parse(text))
                .withMessage(
                        "\"%s\" is no duration: write a number and a unit, for instance 200ms, 2s, 5m or 1h", text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "0.5us", "250us", "1500us", "200ms", "90s", "1m", "90m", "1h", "24h", "8784h"})
    void writesWhatItReads(String text) {
        assertThat(Durations.write(Durations.parse(text))).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"1000us, 1ms", "60s, 1m", "1.5s, 1500ms", "2d, 48h"})
    void writesTheLargestUnitWithoutAFraction(String text, String written) {
        assertThat(Durations.write(Durations.parse(text))).isEqualTo(written);
    }

    @Test
    void readsTheLongestThatCanBeWrittenWithoutOverflow() {
        assertThat(Durations.parse("999999999999d")).isEqualTo(Duration.ofDays(999_999_999_999L));
        assertThat(Durations.nanos(Durations.parse("999999999999d"))).isPositive();
    }
}
