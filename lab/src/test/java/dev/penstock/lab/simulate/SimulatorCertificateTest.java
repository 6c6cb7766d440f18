package dev.penstock.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulatorCertificateTest {
    private static X509Certificate certificate() throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(
                        new ByteArrayInputStream(SimulatorCertificate.pem().getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void vouchesForThisMachineAloneAndForLong() throws Exception {
        X509Certificate certificate = certificate();

        assertThat(certificate.getSubjectAlternativeNames())
                .extracting(name -> (Object) name.get(1))
                .containsExactly("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
        assertThat(certificate.getBasicConstraints()).as("is no authority").isEqualTo(-1);
        assertThat(certificate.getNotBefore()).isBefore(Instant.parse("2026-01-02T00:00:00Z"));
        assertThat(certificate.getNotAfter()).isAfter(Instant.parse("2125-01-01T00:00:00Z"));
    }

    @Test
    void theTrustStoreHoldsTheCertificateAndNoKey() throws Exception {
        KeyStore trust = SimulatorCertificate.trust();

        List<String> names = Collections.list(trust.aliases());
        assertThat(names).hasSize(1);
        assertThat(trust.isCertificateEntry(names.getFirst())).isTrue();
        assertThat(trust.getCertificate(names.getFirst())).isEqualTo(certificate());
    }

    @Test
    void pemIsInLinesOf64() {
        assertThat(SimulatorCertificate.pem().lines())
                .startsWith("-----BEGIN CERTIFICATE-----")
                .endsWith("-----END CERTIFICATE-----")
                .allMatch(line -> line.length() <= 64);
    }

    @Test
    void eachSimulatorHasSessionsOfItsOwn() {
        assertThat(SimulatorCertificate.serverContext()).isNotSameAs(SimulatorCertificate.serverContext());
    }
}
