package dev.penstock.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void everyType() {
        assertThat(Json.write(Json.object("a", 1, "b", List.of(true, "x", Map.of()), "c", new BigDecimal("1.50"))))
                .isEqualTo("{\"a\":1,\"b\":[true,\"x\",{}],\"c\":1.50}");
        assertThat(Json.write(Arrays.asList(null, 2L, -0.5, 1e300, 1.5f, List.of())))
                .isEqualTo("[null,2,-0.5,1.0E300,1.5,[]]");
        assertThat(Json.write(Map.of(503, 1))).isEqualTo("{\"503\":1}");
        assertThat(Json.write(null)).isEqualTo("null");
        assertThatThrownBy(() -> Json.write(Instant.EPOCH)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void escapes() {
        assertThat(Json.write("\"\\\n\r\t\b\u0000\u001f /\u007f\u2028é😀"))
                .isEqualTo("\"\\\"\\\\\\n\\r\\t\\u0008\\u0000\\u001f /\u007f\u2028é😀\"");
        assertThat(Json.write("a\ud83d")).isEqualTo("\"a\\ud83d\"");
        assertThat(Json.write("\ude00b")).isEqualTo("\"\\ude00b\"");
        assertThat(Json.write(Map.of("k\"", "v"))).isEqualTo("{\"k\\\"\":\"v\"}");
    }

    @Test
    void numbersThatAreNotFiniteAreNull() {
        assertThat(Json.write(List.of(Double.NaN, Double.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY)))
                .isEqualTo("[null,null,null]");
    }
}
