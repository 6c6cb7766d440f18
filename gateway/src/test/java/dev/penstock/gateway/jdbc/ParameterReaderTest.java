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
}
