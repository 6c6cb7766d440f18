package dev.penstock.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Setting;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every form in which trusted certificates may come, and what is said of those that cannot be used. */
class TrustingTest {
    private static final TestAuthority ONE = TestAuthority.first();
    private static final TestAuthority TWO = TestAuthority.second();

    @TempDir
    Path directory;

    @Test
    void theJvmsOwnWhenNothingElseIsSaid() {
        TlsMaterial material = Tls.platform().open();
        Setting trust = material.settings().getFirst();
        assertThat(trust.name()).isEqualTo("tls.trust");
        assertThat(trust.value()).isEqualTo("the JVM's trust store");
        assertThat(trust.origin()).isEqualTo(Setting.Origin.DEFAULT);
        assertThat(material.settings().get(1).value()).isEqualTo("none");
        assertThat(material.settings().get(2).value()).isEqualTo("never");
        assertThat(material.context()).isSameAs(material.context());
    }

    @Test
    void aBundleInPemInPlaceOfTheJvms() throws Exception {
        Path bundle = write("ca.pem", "# two\n" + ONE.caPem() + TWO.caPem() + ONE.caPem());
        assertThat(issuers(Tls.platform().trusting(bundle)))
                .containsExactlyInAnyOrder(ONE.certificate("ca"), TWO.certificate("ca"));
    }

    @Test
    void severalFilesTogether() throws Exception {
        Path one = write("one.pem", ONE.caPem());
        Path two = write("two.pem", TWO.caPem());
        Tls tls = Tls.platform().trusting(one).trusting(two);
        assertThat(issuers(tls)).containsExactlyInAnyOrder(ONE.certificate("ca"), TWO.certificate("ca"));
        Setting trust = tls.open().settings().getFirst();
        assertThat(trust.value()).isEqualTo("2 certificates of " + one + ", " + two);
        assertThat(trust.origin()).isEqualTo(Setting.Origin.GIVEN);
        assertThat(trust.reason())
                .contains("the first of them to expire is valid until "
                        + ONE.certificate("ca")
                                .getNotAfter()
                                .toInstant()
                                .toString()
                                .substring(0, 10));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PKCS12", "JKS"})
    void stores(String type) throws Exception {
        Path store = directory.resolve("trust.store");
        Files.write(store, ONE.trustStore(type, TestAuthority.PASSWORD));
        assertThat(issuers(Tls.platform().trusting(store, () -> TestAuthority.PASSWORD)))
                .containsExactly(ONE.certificate("ca"));
        refused(Tls.platform().trusting(store, "wrong"::toCharArray), store + " cannot be opened: wrong password");
    }

    @Test
    void aStoreWithoutItsPasswordShowsNothing() throws Exception {
        Path store = directory.resolve("trust.p12");
        Files.write(store, ONE.trustStore("PKCS12", TestAuthority.PASSWORD));
        refused(
                Tls.platform().trusting(store),
                store + " contains no trusted certificate that can be read without a password: set its password");
        Files.write(store, ONE.keyStore("PKCS12", "client"));
        refused(
                Tls.platform().trusting(store, () -> TestAuthority.PASSWORD),
                store + " contains no certificate that is marked as trusted: convert it to PEM");
    }

    @Test
    void whatIsNoTrustIsRefused() throws Exception {
        Path file = directory.resolve("ca.pem");
        refused(Tls.platform().trusting(file), file + " does not exist: check the path");
        write("ca.pem", "");
        refused(Tls.platform().trusting(file), file + " is neither PEM nor a readable PKCS12 or JKS store");
        write("ca.pem", "hello");
        refused(Tls.platform().trusting(file), file + " is neither PEM nor a readable PKCS12 or JKS store");
        write("ca.pem", ONE.keyPem("client"));
        refused(Tls.platform().trusting(file), file + " contains no certificate: it needs a block");
        write("ca.pem", TestAuthority.pem("CERTIFICATE", new byte[] {0x30, 0x01, 0x00}));
        refused(Tls.platform().trusting(file), file + " contains a damaged certificate");
        write("ca.pem", TestAuthority.pem("TRUSTED CERTIFICATE", new byte[3]));
        refused(Tls.platform().trusting(file), file + " contains no certificate: it needs a block");
        Files.write(file, ONE.certificate("ca").getEncoded());
        refused(Tls.platform().trusting(file), file + " is neither PEM nor a readable PKCS12 or JKS store");
        byte[] store = ONE.trustStore("PKCS12", TestAuthority.PASSWORD);
        Files.write(file, Arrays.copyOf(store, store.length / 2));
        refused(Tls.platform().trusting(file), file + " is neither PEM nor a readable PKCS12 or JKS store");
        refused(Tls.platform().trusting(directory), directory + " is not a regular file");
    }

    @Test
    void sizesAndCountsAreBounded() throws Exception {
        Path file = directory.resolve("ca.pem");
        byte[] large = new byte[FileContents.MAX_BYTES + 1];
        Arrays.fill(large, (byte) '\n');
        byte[] ca = ONE.caPem().getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(ca, 0, large, 0, ca.length);
        Files.write(file, large);
        refused(Tls.platform().trusting(file), file + " is larger than 4 MiB");
        Files.write(file, Arrays.copyOf(large, FileContents.MAX_BYTES));
        assertThat(issuers(Tls.platform().trusting(file))).hasSize(1);

        Tls tls = Tls.platform();
        for (int i = 0; i < 16; i++) {
            tls = tls.trusting(file);
        }
        Tls full = tls;
        assertThatThrownBy(() -> full.trusting(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("at most 16 files can be trusted");
    }

    @Test
    void describesItself() {
        assertThat(Tls.platform().toString())
                .isEqualTo("trusts the JVM's trust store; presents nothing; checks files every 10 s");
    }

    private static List<X509Certificate> issuers(Tls tls) {
        LoadedTls loaded = tls.load(FileContents.read(tls.files()), Instant.EPOCH);
        TrustManager[] managers = Objects.requireNonNull(loaded.trust()).managers();
        assertThat(managers).hasSize(1);
        return List.of(((X509TrustManager) managers[0]).getAcceptedIssuers());
    }

    private static void refused(Tls tls, String beginning) {
        assertThatThrownBy(tls::open)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(beginning)
                .message()
                .doesNotContain("\n", new String(TestAuthority.PASSWORD));
    }

    private Path write(String name, String text) throws Exception {
        return Files.writeString(directory.resolve(name), text);
    }
}
