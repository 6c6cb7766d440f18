package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.Busy;
import dev.penstock.Setting;
import dev.penstock.http.internal.Paths;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HttpTargetTest {
    @Test
    void refusesAUrlItCannotUseAndSaysWhatToWrite() {
        for (String url : List.of(
                "",
                "gateway",
                "ftp://h/",
                "http://",
                "http:///x",
                "http://h:70000/",
                "http://h/a b",
                "http://h/#x",
                "http://h/?q=\u00e4",
                "http://h/../x")) {
            assertThatIllegalArgumentException().as(url).isThrownBy(() -> HttpTarget.at(url));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpTarget.at("http://user:secret@h/"))
                .withMessageContaining("Authorization")
                .withMessageNotContaining("secret");
    }

    @Test
    void showsWhereItLeadsWithoutSecrets() {
        try (HttpTarget target = HttpTarget.of("https://gw.example/v1?token=secret")) {
            assertThat(target.where()).isEqualTo("https://gw.example/v1");
        }
    }

    @Test
    void tellsEverySettingWithWhereItIsFrom() {
        try (HttpTarget target = HttpTarget.at("http://gw.example")
                .poolMax(7)
                .idle(Duration.ofSeconds(9))
                .build()) {
            assertThat(target.settings())
                    .extracting(Setting::name)
                    .containsExactly(
                            "pool.max",
                            "pool.wait",
                            "pool.idle",
                            "pool.max_age",
                            "pool.connect_timeout",
                            "pool.response_timeout",
                            "pool.max_answer");
            assertThat(target.settings())
                    .filteredOn(Setting::pinned)
                    .extracting(Setting::value)
                    .containsExactly("7", "9 s");
        }
    }

    @Test
    void refusesSettingsOutOfRange() {
        HttpTargetBuilder builder = HttpTarget.at("http://gw.example");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.poolMax(0))
                .withMessage("pool.max must be 1 to 100000, not 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.connectTimeout(Duration.ZERO))
                .withMessageContaining("pool.connect_timeout must be 1ms to 1h");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.sourcePath("pay"))
                .withMessageContaining("slash");
        for (String own :
                List.of("Host", "content-length", "Transfer-Encoding", "Connection", "Penstock-Deadline-Ms")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder.header(own, "1"))
                    .withMessageContaining(own);
        }
    }

    @Test
    void putsPathsTogether() {
        Address address = Address.of("http://[::1]:81/v1/tx");
        assertThat(address.authority()).isEqualTo("[::1]:81");
        assertThat(address.bareHost()).isEqualTo("::1");
        assertThat(address.pathFor("", null)).isEqualTo("/v1/tx");
        assertThat(address.pathFor("/1", "a=b")).isEqualTo("/v1/tx/1?a=b");
        assertThat(Address.of("http://h/v1/?c=d").pathFor("/1", "a=b")).isEqualTo("/v1/1?c=d");
        assertThat(Address.of("https://h:443").pathFor("", null)).isEqualTo("/");
        assertThat(Address.of("https://h:443").authority()).isEqualTo("h");
        assertThat(Paths.rest("/v1/pay", "/v1/pay")).isEmpty();
        assertThat(Paths.rest("/v1/pay/", "/v1/pay")).isEqualTo("/");
        assertThat(Paths.rest("/v1/pay/2", "/v1/pay/")).isEqualTo("/2");
        assertThat(Paths.rest("/v1/payX", "/v1/pay")).isNull();
        assertThat(Paths.rest("/any", "/")).isEqualTo("/any");
    }

    @Test
    void tellsAnswersThatSayTheTargetIsTooBusy() {
        assertThat(Stream.of(200, 429, 500, 503).filter(status -> Busy.is(HttpAnswer.of(status, ""))))
                .containsExactly(429, 503);
    }
}
