package dev.penstock.gateway.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.gateway.jdbc.JdbcTo.Parameter;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.BadInput;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.jdbc.JsonText;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterReaderTest {
    private static HttpCall call(String path, String body) {
        return HttpCall.of("POST", path, Headers.none().with("X", "head"), body.getBytes(StandardCharsets.UTF_8));
    }

    private static ParameterReader reader(String... names) {
        return new ParameterReader(Set.of(names), Map.of(), List.of("Idempotency-Key"));
    }

    @Test
    void readsBodyBeforeQueryAndQueryBeforeHeader() {
        assertThat(reader("x").read(call("/?x=query", "{\"x\": \"body\"}")).value("x"))
                .isEqualTo("body");
        assertThat(reader("x").read(call("/?x=q%20ry", "{}")).value("x")).isEqualTo("q ry");
        assertThat(reader("x").read(call("/", "")).value("x")).isEqualTo("head");
    }

    @Test
    void keepsEveryKindOfValue() {
        JdbcRequest read = reader("a", "b", "c", "d", "e", "f")
                .read(call(
                        "/",
                        "{\"a\":1,\"b\":1.50,\"c\":99999999999999999999,\"d\":null,\"e\":true,\"f\":{\"g\":[1]}}"));
        assertThat(read)
                .isEqualTo(JdbcRequest.of("a", 1L)
                        .with("b", new BigDecimal("1.50"))
                        .with("c", new BigDecimal("99999999999999999999"))
                        .with("d", null)
                        .with("e", true)
                        .with("f", new JsonText("{\"g\":[1]}")));
    }

    @Test
    void readsParametersFromTheGivenSources() {
        ParameterReader reader = new ParameterReader(
                Set.of("a", "b", "c"),
                Map.of(
                        "a", new Parameter.Json("/p/1/q"),
                        "b", new Parameter.Header("X"),
                        "c", new Parameter.Query("d")),
                List.of());
        JdbcRequest read = reader.read(call("/?d=5", "{\"p\":[0,{\"q\":7}]}"));
        assertThat(read).isEqualTo(JdbcRequest.of("a", 7L).with("b", "head").with("c", "5"));
        assertThatThrownBy(() -> reader.read(call("/?d=5", "{\"p\":[]}")))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("/p/1/q");
    }

    @Test
    void findsRequestByItsHeader() {
        HttpCall keyed = call("/", "{\"x\":1}").withHeader("Idempotency-Key", "k1");
        assertThat(reader("x").read(keyed).key("Idempotency-Key")).isEqualTo("k1");
        assertThat(reader("x").read(call("/", "{\"x\":1}")).key("Idempotency-Key"))
                .isNull();
    }

    @Test
    void unreadableParameterIsBadInput() {
        for (String body : List.of("{", "[]", "1", "{\"x\":1}{}", "{\"x\":1,\"x\":2}")) {
            assertThatThrownBy(() -> reader("x").read(call("/", body))).isInstanceOf(BadInput.class);
        }
        assertThatThrownBy(() -> reader("y").read(call("/", ""))).hasMessageContaining("Missing parameter y");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1e300000000",
                "-1e-300000000",
                "7e262144",
                "1e131072",
                "0e300000000",
                "1e99999999999999999999",
                "{\"y\":[1e300000000]}",
                "\"M\\ud800ller\"",
                "{\"y\":\"\\udc00\"}",
                "{\"\\udc00\":1}",
            })
    void refusesWhatNoDatabaseStoresAsGiven(String value) {
        assertThatThrownBy(() -> reader("x").read(call("/", "{\"x\":" + value + "}")))
                .as(value)
                .isInstanceOf(BadInput.class)
                .hasMessageEndingWith("(/x).");
    }

    @Test
    void namesThePlaceOfWhatTheJsonReaderDoesNotTake() {
        assertThatThrownBy(() -> reader("x").read(call("/", "{\n \"x\": " + "1".repeat(1001) + "}")))
                .hasMessageContaining("a number with more than 1,000 characters")
                .hasMessageEndingWith("(/x).");
        assertThatThrownBy(() -> reader("x").read(call("/", "{\n \"x\": }")))
                .hasMessageContaining("not valid JSON (/x).");
    }

    /** The JSON reader takes overlong forms and encoded surrogates. */
    @Test
    void refusesMalformedUtf8() {
        for (String bytes : List.of("\u00ff", "\u00c0\u0080", "\u00ed\u00a0\u0080", "\u00f0\u009f")) {
            HttpCall call = HttpCall.of(
                    "POST", "/", Headers.none(), ("{\"x\":\"" + bytes + "\"}").getBytes(StandardCharsets.ISO_8859_1));
            assertThatThrownBy(() -> reader("x").read(call)).hasMessageContaining("not valid UTF-8");
        }
        assertThatThrownBy(() -> reader("x").read(call("/?x=%FF", ""))).hasMessageContaining("not valid UTF-8");
        assertThat(reader("x").read(call("/?x=%C3%A4+%F0%9F%98%80", "")).value("x"))
                .isEqualTo("\u00e4 \ud83d\ude00");
    }
}
