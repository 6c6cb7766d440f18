package dev.penstock.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostParametersTest {
    @ParameterizedTest
    @CsvSource({"gateway.example, gateway.example", "gateway.example., gateway.example", "payments, payments"})
    void aNameIsToldToTheServerAndMustStandInItsCertificate(String host, String name) {
        SSLParameters parameters = HostParameters.of(host);
        assertThat(parameters.getEndpointIdentificationAlgorithm()).isEqualTo("HTTPS");
        assertThat(parameters.getServerNames()).containsExactly(new SNIHostName(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "[::1]", "[fe80::1%eth0]", "fe80::1%eth0", "2001:db8::7"})
    void anAddressMustStandInTheCertificateAndIsNotTold(String host) {
        SSLParameters parameters = HostParameters.of(host);
        assertThat(parameters.getEndpointIdentificationAlgorithm()).isEqualTo("HTTPS");
        assertThat(parameters.getServerNames()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gateway.example:8443", "", "two words", "a..b", "under_score"})
    void whatIsNeitherIsRefused(String host) {
        assertThatThrownBy(() -> HostParameters.of(host))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("host " + host);
    }

    @Test
    void eachCallGivesItsOwn() {
        HostParameters.of("a.example").setApplicationProtocols(new String[] {"h2"});
        assertThat(HostParameters.of("a.example").getApplicationProtocols()).isEmpty();
    }
}
