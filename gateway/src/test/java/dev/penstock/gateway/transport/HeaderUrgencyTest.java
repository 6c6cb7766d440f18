package dev.penstock.gateway.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeaderUrgencyTest {
    private final HeaderUrgency urgency = new HeaderUrgency("Priority");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "u=0|0",
                "u=7|7",
                "u=5, i|5",
                "i, u=1|1",
                "i,u=2;x=9|2",
                "u=1, u=6|6",
                "0|0",
                " 4 |4",
                "7|7",
            })
    void readsUrgencyFromHeader(String value, int expected) {
        assertThat(urgency.applyAsInt(HttpCall.get("/").withHeader("priority", value)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"u=8", "u=-1", "u=10", "8", "12", "high", "i", "nu=1", "u=1.5", "u =1", "''"})
    void invalidHeaderHasDefaultUrgency(String value) {
        assertThat(urgency.applyAsInt(HttpCall.get("/").withHeader("Priority", value)))
                .isEqualTo(3);
    }

    @Test
    void missingHeaderHasDefaultUrgency() {
        assertThat(urgency.applyAsInt(HttpCall.get("/").withHeader("X-Priority", "1")))
                .isEqualTo(3);
        assertThat(urgency.applyAsInt("no call")).isEqualTo(3);
        assertThat(urgency.applyAsInt(HttpCall.get("/").withHeader("Priority", "u=1, " + "x".repeat(300))))
                .isEqualTo(3);
    }
}
