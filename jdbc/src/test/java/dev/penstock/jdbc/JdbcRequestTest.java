package dev.penstock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcRequestTest {
    @ParameterizedTest
    @ValueSource(strings = {"1e131071", "-9.99e131071", "1e-16383", "0e131071", "1e5", "-0.00"})
    void takesNumbersWithinTheRangeOfPostgres(String number) {
        BigDecimal given = new BigDecimal(number);
        assertThat(JdbcRequest.of("n", given).value("n")).isEqualTo(given);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1e131072", "7e262144", "1e-16384", "1e2147483647", "1e-2147483647", "0e300000000", "10e131071"})
    void refusesNumbersBeyondIt(String number) {
        assertThatThrownBy(() -> JdbcRequest.of("n", new BigDecimal(number)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("parameter n is a number with ")
                .hasMessageEndingWith("at most 131072 and 16383 can be stored");
    }

    @Test
    void refusesIntegersBeyondIt() {
        BigInteger most = BigInteger.TEN.pow(131_072).subtract(BigInteger.ONE);
        assertThat(JdbcRequest.of("n", most).value("n")).isEqualTo(new BigDecimal(most));
        assertThatThrownBy(() -> JdbcRequest.of("n", most.add(BigInteger.ONE)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\ud800", "M\ud800ller", "\udfff\ud800", "\ud83d\ude00\ude00", "\ud83d\ud83d\ude00"})
    void refusesLoneSurrogatesInTextJsonAndKeys(String text) {
        for (Object value : new Object[] {text, new JsonText("{\"a\":\"" + text + "\"}")}) {
            assertThatThrownBy(() -> JdbcRequest.of("t", value))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("parameter t is not valid Unicode");
        }
        assertThatThrownBy(() -> JdbcRequest.empty().named("t", text)).isInstanceOf(IllegalArgumentException.class);
        assertThat(JdbcRequest.of("t", "\ud83d\ude00\u0000e\u0301").value("t")).isEqualTo("\ud83d\ude00\u0000e\u0301");
    }
}
