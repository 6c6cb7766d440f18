package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.http.header.Headers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpStatusProbeTest {
    private static HttpCall with(String value) {
        return HttpCall.post("/", "x").withHeader("Key", value);
    }

    @Test
    void theReferenceFillsItsPlaceAndNothingMore() {
        ReferencePath path = ReferencePath.of("/pay/{key}?a=b&r={Key}");
        assertThat(path.filled(with("p-1.2_3~Z"))).isEqualTo("/pay/p-1.2_3~Z?a=b&r=p-1.2_3~Z");
        assertThat(path.filled(with("a/b?c&d=e#f g%{}\u00e9")))
                .isEqualTo(
                        "/pay/a%2Fb%3Fc%26d%3De%23f%20g%25%7B%7D%E9" + "?a=b&r=a%2Fb%3Fc%26d%3De%23f%20g%25%7B%7D%E9");
        assertThat(path.shown()).isEqualTo("/pay/{key}");
    }

    @ParameterizedTest
    @ValueSource(strings = {".", "..", "../x", "..;x", "..\\x"})
    void aReferenceThatLeadsElsewhereIsNotAskedBy(String value) {
        assertThat(ReferencePath.of("/pay/{Key}").filled(with(value))).isNull();
        assertThat(ReferencePath.of("/pay/{Key}/status").filled(with(value))).isNull();
        assertThat(ReferencePath.of("/pay?r={Key}").filled(with(value))).startsWith("/pay?r=.");
    }

    @Test
    void aCallWithoutItsReferenceIsNotAskedOf() {
        try (HttpStatusProbe probe = HttpStatusProbe.at("https://gw.example/pay/{Key}")) {
            assertThat(probe.canAskOf(with("1"))).isTrue();
            assertThat(probe.canAskOf(with(""))).isFalse();
            assertThat(probe.canAskOf(HttpCall.post("/", "x"))).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://gw.example/pay            | has no placeholder, so it would be the same for all transactions",
                "https://gw.example/pay/{Key       | has an unmatched brace",
                "https://gw.example/pay/Key}       | has an unmatched brace",
                "https://gw.example/pay/{}         | has a placeholder that is not a header name",
                "https://gw.example/pay/{a b}      | has a placeholder that is not a header name",
                "https://{Key}.example/pay         | so a request could choose the host",
                "https://gw.example:{Key}/pay      | so a request could choose the host",
                "gateway                           | does not begin with http:// or https://",
                "''                                | does not begin with http:// or https://",
                "ftp://gw.example/{Key}            | does not begin with http:// or https://",
                "https://gw.example/a b/{Key}      | must be percent-encoded",
                "https://gw.example/{Key}#top      | must be percent-encoded",
                "https://gw.example/../{Key}       | has a . or .. segment",
                "https://u:p@gw.example/{Key}      | Authorization",
            })
    void aUrlThatCannotBeAskedIsRefused(String url, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpStatusProbe.at(url))
                .withMessageContaining(why);
    }

    @Test
    void aStatusThatTellsOfTheQuestionCannotMeanNotThere() {
        try (HttpStatusProbe probe = HttpStatusProbe.at("https://gw.example/pay/{Key}")) {
            for (int status : new int[] {200, 201, 302, 401, 403, 407, 408, 425, 429, 500, 503, 0}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> probe.absentStatus(status))
                        .withMessageEndingWith("not " + status);
            }
            for (int status : new int[] {204, 400, 404, 410, 422}) {
                assertThat(probe.absentStatus(status).settings())
                        .extracting(Setting::value)
                        .contains("" + status);
            }
        }
    }

    @Test
    void showsItsSettingsWithoutSecrets() {
        try (HttpStatusProbe probe = HttpStatusProbe.at("https://gw.example:444?token=secret&r={Key}&s={Other}")) {
            assertThat(probe).hasToString("https://gw.example:444/");
            assertThat(probe.settings())
                    .extracting(Setting::name, Setting::value, Setting::origin)
                    .containsExactly(
                            tuple("settle.url", "https://gw.example:444/", Origin.GIVEN),
                            tuple("settle.by", "Key, Other", Origin.GIVEN),
                            tuple("settle.absent_status", "404", Origin.DEFAULT));
        }
    }

    @Test
    void onlySafeMethodsOnlyRead() {
        for (String method : List.of("GET", "HEAD", "OPTIONS", "TRACE")) {
            assertThat(call(method).isReadOnly()).as(method).isTrue();
        }
        for (String method : List.of("POST", "PUT", "DELETE", "PATCH", "get")) {
            assertThat(call(method).isReadOnly()).as(method).isFalse();
        }
    }

    private static HttpCall call(String method) {
        return HttpCall.of(method, "/", Headers.none(), new byte[0]);
    }
}
