package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 is used with the versions of HttpCore that lose no calls. */
class HttpCoreVersionTest {
    @Test
    void thatOfThisBuildHasHttp2() {
        assertThat(HttpCoreVersion.WITHOUT_HTTP2).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"5.4", "5.4.4", "5.10-beta1", "6.0", "", "UNAVAILABLE"})
    void laterAndUnknownOnesHaveIt(String release) {
        assertThat(HttpCoreVersion.withoutHttp2(release)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"5.3.6", "5.3", "4.4.16"})
    void earlierOnesHaveNot(String release) {
        assertThat(HttpCoreVersion.withoutHttp2(release)).contains("the class path has " + release);
    }
}
