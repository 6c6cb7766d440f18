package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.header.Headers;
import dev.penstock.http.http2.Http2Stream;
import java.util.List;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.message.BasicHttpResponse;
import org.apache.hc.core5.http2.impl.DefaultH2RequestConverter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Http2FormatTest {
    private static final byte[] NOTHING = new byte[0];

    private final Http2Format format = new Http2Format(Address.of("https://gateway.example/v1"));

    @ParameterizedTest
    @CsvSource({
        "https://gateway.example/v1, https, gateway.example",
        "https://gateway.example:8443/, https, gateway.example:8443",
        "http://gateway.example:80/, http, gateway.example",
        "https://[::1]:8443/, https, [::1]:8443",
        "https://[::1]/, https, [::1]",
    })
    void theAuthorityIsThatOfTheUrl(String url, String scheme, String authority) throws Exception {
        List<Header> fields = DefaultH2RequestConverter.INSTANCE.convert(
                new Http2Format(Address.of(url)).request(HttpCall.get("/a?b=c"), 0));
        assertThat(fields.stream().map(field -> field.getName() + " " + field.getValue()))
                .containsExactly(":method GET", ":scheme " + scheme, ":authority " + authority, ":path /a?b=c");
    }

    @Test
    void aMethodThatExpectsContentSaysHowMuchAlsoWhenItIsNone() {
        assertThat(length("POST")).isEqualTo("0");
        assertThat(length("PUT")).isEqualTo("0");
        assertThat(length("PATCH")).isEqualTo("0");
        assertThat(length("GET")).isNull();
        assertThat(length("DELETE")).isNull();
    }

    private @Nullable String length(String method) {
        Header told = format.request(HttpCall.of(method, "/", Headers.none(), NOTHING), 0)
                .getFirstHeader("Content-Length");
        return told == null ? null : told.getValue();
    }

    @Test
    void anAnswerIsAsLongAsItSays() throws Exception {
        HttpResponse head = new BasicHttpResponse(200);
        head.setHeader("content-length", "3");
        assertThat(format.answer(HttpCall.get("/"), head, new byte[3]).headers())
                .isEmpty();
        assertThatThrownBy(() -> format.answer(HttpCall.get("/"), head, new byte[2]))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("2 bytes, but Content-Length is 3");
    }

    @Test
    void whatHasNoBodyMayTellALength() throws Exception {
        HttpResponse head = new BasicHttpResponse(200);
        head.setHeader("content-length", "3");
        HttpCall asked = HttpCall.of("HEAD", "/", Headers.none(), NOTHING);
        assertThat(format.answer(asked, head, NOTHING).headers().first("Content-Length"))
                .isEqualTo("3");
        HttpResponse same = new BasicHttpResponse(304);
        same.setHeader("content-length", "3");
        assertThat(format.answer(HttpCall.get("/"), same, NOTHING).status()).isEqualTo(304);
    }

    @Test
    void aLengthThatCannotBeReadIsNone() {
        for (String text : new String[] {"", "x", "-1", "1, 1", "9999999999999999999"}) {
            HttpResponse head = new BasicHttpResponse(200);
            head.setHeader("content-length", text);
            assertThat(Http2Stream.contentLength(head)).as(text).isEqualTo(-1);
        }
    }
}
