package dev.penstock.http.source;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestRulesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"h", "h:", "h:80", "a.example", "a_b-c~1.example:65535", "127.0.0.1:8080", "[::1]", "[::1]:80"})
    void aHostWithOrWithoutAPortIsValid(String host) {
        assertThat(RequestRules.isHost(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":80",
                "user@h",
                "user:password@h",
                "h:80a",
                "h:123456",
                "h:80:80",
                "h h",
                "h/",
                "h?",
                "h#",
                "a\\b",
                "[::1",
                "::1",
                "[]x",
                "[::1]80",
                "[g::/]",
                "h\t",
                "\u00e4",
                "h,\u0000"
            })
    void anythingElseIsNot(String host) {
        assertThat(RequestRules.isHost(host)).isFalse();
    }
}
