package dev.penstock.gateway.callers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Ticker;
import dev.penstock.gateway.callers.AuthConfig.CertificateName;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.WatchedFiles;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.BadInput;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Callers with client certificates, which a listener has verified. */
class AuthenticationTest {
    @TempDir
    Path folder;

    private X509Certificate certificate(String subject, String san) throws Exception {
        Path file = folder.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/keytool",
                        "-J-XX:TieredStopAtLevel=1",
                        "-genkeypair",
                        "-alias",
                        "own",
                        "-keyalg",
                        "EC",
                        "-dname",
                        subject,
                        "-ext",
                        san,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "s3cr3t",
                        "-keystore",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore store = KeyStore.getInstance(file.toFile(), "s3cr3t".toCharArray());
        return (X509Certificate) store.getCertificate("own");
    }

    private static String nameOf(CertificateName name, List<X509Certificate> certificates) {
        AuthConfig config =
                new AuthConfig(FileLocation.NOWHERE, null, null, name, Configured.byDefault("Penstock-Caller"));
        return new Authentication("payments", config, Caller.ANY, new WatchedFiles(Ticker.SYSTEM), Ticker.SYSTEM)
                .identify(
                        Headers.none().with("Authorization", "Bearer for-the-target"),
                        InetAddress.getLoopbackAddress(),
                        certificates)
                .name();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CN=shop, O=Example| san=dns:one.example,dns:two.example| shop| one.example",
                "O=Example, CN=a.b| san=uri:spiffe://example/shop,email:a@b.example| a.b| spiffe://example/shop",
                "CN=inner, CN=outer| san=email:a@b.example| inner| a@b.example",
            })
    void aCertificateNamesItsCaller(String subject, String san, String commonName, String alternativeName)
            throws Exception {
        List<X509Certificate> chain = List.of(certificate(subject.strip(), san.strip()));
        assertThat(nameOf(CertificateName.SUBJECT_CN, chain)).isEqualTo(commonName);
        assertThat(nameOf(CertificateName.SAN, chain)).isEqualTo(alternativeName);
    }

    @Test
    void withoutAUsableNameThereIsNoCaller() throws Exception {
        List<X509Certificate> chain = List.of(certificate("CN=two words", "san=ip:127.0.0.1"));
        for (CertificateName name : CertificateName.values()) {
            for (List<X509Certificate> given : List.of(chain, List.<X509Certificate>of())) {
                assertThatThrownBy(() -> nameOf(name, given))
                        .isInstanceOf(BadInput.class)
                        .hasMessage("Valid credentials are required. Nothing was sent.");
            }
        }
    }
}
