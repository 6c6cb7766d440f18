package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.http.pool.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyAddressTest {
    @Test
    void readsHostAndPort() {
        assertThat(ProxyAddress.of("proxy.example:3128", null)).isEqualTo(new Proxy("proxy.example", 3128, null));
        assertThat(ProxyAddress.of("[::1]:1", "Basic x")).isEqualTo(new Proxy("::1", 1, "Basic x"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "proxy",
                "proxy:",
                ":3128",
                "proxy:0",
                "proxy:65536",
                "proxy:3128/",
                "http://proxy:3128",
                "user:secret@proxy:3128",
                "user:secret\nsecret@proxy:3128",
                "proxy:3128\r\nX: y",
                "pro xy:3128",
            })
    void refusesAllElseAndTellsNoSecret(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProxyAddress.of(text, null))
                .withMessageContaining("proxy.example:3128")
                .withMessageNotContaining("secret")
                .withMessageNotContaining("\n");
    }

    @Test
    void aUserAndAPasswordAreOneLineWhateverIsInThem() {
        assertThat(ProxyAddress.basic("Aladdin", "open sesame")).isEqualTo("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        assertThat(ProxyAddress.basic("ä", "x\r\nHost: other".repeat(20))).doesNotContain("\r", "\n");
        assertThatIllegalArgumentException().isThrownBy(() -> ProxyAddress.basic("a:b", ""));
        assertThatIllegalArgumentException().isThrownBy(() -> ProxyAddress.basic("", "b"));
    }
}
