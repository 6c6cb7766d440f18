package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HttpCallTest {
    @Test
    void findsItsKeyInWhateverCase() {
        HttpCall call =
                HttpCall.post("/pay", "x").withHeader("Idempotency-Key", " k ").withHeader("Empty", "");
        assertThat(call.key("idempotency-key")).isEqualTo("k");
        assertThat(call.key("Empty")).isNull();
        assertThat(call.key("Other")).isNull();
    }

    @Test
    void hasAFactoryForEachMethodAndForJson() {
        assertThat(HttpCall.postJson("/pay", "{}").headers().first("content-type"))
                .isEqualTo("application/json");
        assertThat(List.of(
                        HttpCall.postJson("/a", "{}"),
                        HttpCall.put("/a", "1"),
                        HttpCall.patch("/a", "1"),
                        HttpCall.delete("/a")))
                .extracting(HttpCall::toString)
                .containsExactly("POST /a (2 bytes)", "PUT /a (1 bytes)", "PATCH /a (1 bytes)", "DELETE /a (0 bytes)");
    }

    @Test
    void aMisspeltKeyIsReportedOnce() {
        Headers misspelt = Headers.none().with("Idempotancy-Key", "k").with("Content-Type", "text/plain");
        assertThat(KeyHint.check("Idempotency-Key", misspelt)).isTrue();
        assertThat(KeyHint.check("Idempotency-Key", misspelt)).isFalse();
        assertThat(KeyHint.check("Idempotency-Key", Headers.none().with("Accept", "*/*")))
                .isFalse();
        assertThat(HttpCall.get("/").withHeaders(misspelt).key("Idempotency-Key"))
                .isNull();
    }

    @Test
    void aHeaderReplacesThoseOfItsNameOrJoinsThem() {
        Headers headers = Headers.none().with("A", "1").and("a", "2").and("B", "3");
        assertThat(headers.all("A")).containsExactly("1", "2");
        assertThat(headers.with("A", "4").all("a")).containsExactly("4");
        assertThat(headers.without("a")).containsExactly(new Header("B", "3"));
        assertThat(headers.size()).isEqualTo(3);
    }

    @Test
    void refusesWhatWouldEndALineOrHideInIt() {
        HttpCall call = HttpCall.get("/");
        for (String value : List.of("a\r\nInjected: 1", "a\rb", "a\nb", "a\0b", "\u20ac", "a\u007fb")) {
            assertThatIllegalArgumentException().as(value).isThrownBy(() -> call.withHeader("X", value));
        }
        for (String name : List.of("", "X:", "X Y", "X\r\n", "\u00e4")) {
            assertThatIllegalArgumentException().as(name).isThrownBy(() -> call.withHeader(name, "a"));
        }
        for (String path :
                List.of("", "pay", "/a b", "/a\r\nX: 1", "/\u00e4", "/a#b", "/a/../b", "/a/%2E%2e", "/./a", "/a/.")) {
            assertThatIllegalArgumentException().as(path).isThrownBy(() -> HttpCall.get(path));
        }
        for (String path :
                List.of("/a/..;/b", "/a/.%2e;x/b", "/a/..%2fb", "/a%2F..%2Fb", "/a/..\\b", "/a%5c..", "/..%5Cb")) {
            assertThatIllegalArgumentException().as(path).isThrownBy(() -> HttpCall.get(path));
        }
        assertThatIllegalArgumentException().isThrownBy(() -> HttpCall.of("GET /x", "/", Headers.none(), new byte[0]));
        assertThat(HttpCall.get("/a/..b/c.d?e=../f").path()).isEqualTo("/a/..b/c.d?e=../f");
        assertThat(HttpCall.get("/a%2Fb/...;c/.d").path()).isEqualTo("/a%2Fb/...;c/.d");
    }

    @Test
    void showsNoSecretsAsText() {
        HttpCall call = HttpCall.post("/pay?token=secret", "secret").withHeader("Authorization", "secret");
        assertThat(call + " " + call.headers()).isEqualTo("POST /pay (6 bytes) [Authorization]");
    }

    @Test
    void dropsTheFieldsOfOneConnection() {
        Headers headers = Headers.none()
                .and("Connection", "close, X-One")
                .and("connection", "x-two")
                .and("X-One", "1")
                .and("X-TWO", "1")
                .and("Keep-Alive", "1")
                .and("Proxy-Connection", "1")
                .and("proxy-authorization", "1")
                .and("TE", "1")
                .and("Trailer", "1")
                .and("Transfer-Encoding", "chunked")
                .and("Upgrade", "1")
                .and("Idempotency-Key", "k");
        assertThat(headers.endToEnd()).containsExactly(new Header("Idempotency-Key", "k"));
        assertThat(headers.removedByConnection()).extracting(Header::name).containsExactly("close", "X-One", "x-two");
    }

    @Test
    void filteredFieldsAreNotFilteredAgain() {
        Headers filtered = Headers.none().and("Connection", "X").and("X", "1").endToEnd();
        assertThat(filtered.size()).isZero();
        Headers copy = filtered.and("Y", "1").with("Z", "1").without("Y");
        assertThat(copy.endToEnd()).isSameAs(copy);
        assertThat(copy.and("Connection", "Z").endToEnd().size()).isZero();
        assertThat(copy.with("transfer-encoding", "chunked").endToEnd()).containsExactly(new Header("Z", "1"));
        assertThat(copy.endToEnd(field -> field.is("Z"), Headers.none().and("Via", "v")))
                .containsExactly(new Header("Via", "v"));
    }

    /** It took time in proportion to names times fields, minutes here. */
    @Test
    @Timeout(30)
    void manyNamesInConnectionCostLittle() {
        List<Header> fields = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            fields.add(new Header("X-" + i, ""));
        }
        fields.add(new Header("Connection", "a,".repeat(500_000) + "x-7"));
        assertThat(Headers.of(fields).endToEnd().size()).isEqualTo(19_999);
    }
}
