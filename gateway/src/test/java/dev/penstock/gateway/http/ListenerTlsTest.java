package dev.penstock.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.file.Written;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The keys of {@code from.http.tls} and {@code admin.tls}. */
class ListenerTlsTest {
    private static final OwnCertificate OWN = OwnCertificate.make();

    @TempDir
    Path folder;

    @BeforeEach
    void files() throws Exception {
        OWN.write(folder);
        Files.writeString(
                folder.resolve("sec1.pem"), "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----\n");
        Files.writeString(
                folder.resolve("locked.pem"),
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n");
    }

    private Written written() {
        return new Written(folder, Map.of("PASSWORD", OwnCertificate.PASSWORD));
    }

    private static String flow(String name, String tls) {
        return "  " + name + ": { to: { http: { url: \"https://h/\" } }, from: { http: { port: 8443, path: /" + name
                + (tls.isEmpty() ? "" : ", tls: { " + tls + " }") + " } } }\n";
    }

    private List<String> errors(String tls) {
        return written().errors("flows:\n" + flow("a", tls));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "certificate: chain.pem, key: key.pem",
                "certificate: [chain.pem, chain.pem], key: [key.pem, key.pem], protocols: [TLSv1.3, TLSv1.2]",
                "key_store: store.p12, password: \"${PASSWORD}\", protocols: TLSv1.3",
                "key_store: [store.p12], password: \"${PASSWORD}\", client_ca: ca.pem, client_auth: want",
                "certificate: chain.pem, key: key.pem, client_ca: ca.pem"
            })
    void readsCertificates(String tls) throws Exception {
        String everywhere = "admin: { port: 9090, host: 0.0.0.0, tls: { " + tls + " } }\nflows:\n" + flow("a", tls)
                + flow("b", tls);
        assertThat(written()
                        .read(everywhere.replace("port: 8443", "port: 8443, host: 0.0.0.0"))
                        .config()
                        .flows())
                .hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "                                  | 'from.http.tls' has no certificate; add certificate: PATH and key: PATH, or key_store: PATH",
                "certificate: chain.pem            | 'from.http.tls.certificate' is given without 'key'; add key: PATH, the same path when one file contains both",
                "key: key.pem                      | 'from.http.tls.key' is given without 'certificate'; add certificate: PATH",
                "key_store: store.p12              | 'from.http.tls.key_store' is given without 'password'; add password: \"${file:PATH}\"",
                "key_store: store.p12, password: x | 'from.http.tls' cannot be used; FOLDER/store.p12 cannot be opened: wrong password",
                "certificate: chain.pem, key: key.pem, key_store: store.p12 | 'from.http.tls.key_store' is combined with a certificate or key; keep one of the two",
                "certificate: [chain.pem, chain.pem], key: key.pem | 'from.http.tls.key' has 1 files for 2 certificates; write the key of each certificate, in the same order",
                "certificate: chain.pem, key: no.pem | 'from.http.tls.key' is \"no.pem\", which does not exist; check the path, which is relative to the folder of the flow file",
                "certificate: chain.pem, key: sec1.pem | 'from.http.tls' cannot be used; FOLDER/sec1.pem contains a block EC PRIVATE KEY, which is not PKCS8: convert it with openssl pkcs8 -topk8 -nocrypt -in FOLDER/sec1.pem -out new.pem",
                "certificate: chain.pem, key: locked.pem | 'from.http.tls' cannot be used; FOLDER/locked.pem is encrypted: set its password",
                "certificate: chain.pem, key: chain.pem | 'from.http.tls' cannot be used; FOLDER/chain.pem contains 0 private keys: it needs exactly one block -----BEGIN PRIVATE KEY-----",
                "certificate: chain.pem, key: key.pem, client_auth: want | 'from.http.tls.client_auth' is given without 'client_ca'; add client_ca: PATH, or remove it",
                "certificate: chain.pem, key: key.pem, client_ca: key.pem | 'from.http.tls' cannot be used; FOLDER/key.pem contains no certificate: it needs a block -----BEGIN CERTIFICATE-----",
                "certificate: chain.pem, key: key.pem, protocols: TLSv1.1 | 'from.http.tls.protocols' is \"TLSv1.1\", which is none of its values; did you mean TLSv1.3?",
                "certificate: chain.pem, key: key.pem, protocols: SSLv3 | 'from.http.tls.protocols' is \"SSLv3\", which is none of its values; write TLSv1.3 or TLSv1.2"
            })
    void saysWhatIsWrong(String tls, String text) {
        String expected = text.replace("FOLDER", folder.toString());
        assertThat(errors(tls == null ? " " : tls).getFirst()).endsWith(": " + expected);
    }

    @Test
    void warnsAboutCertificatesThatExpireSoon() throws Exception {
        String tls = "certificate: chain.pem, key: key.pem";
        String yaml = "admin: { port: 9090, tls: { " + tls + " } }\nflows:\n" + flow("a", tls) + flow("b", tls);
        assertThat(written().read(yaml).warnings()).isEmpty();
        OwnCertificate.make(20).write(folder);
        assertThat(written().read(yaml).warnings())
                .singleElement()
                .asString()
                .contains("f.yaml:3:88: warning: certificate expires soon: CN=own from " + folder.resolve("chain.pem")
                        + " is valid until ")
                .endsWith("; replace the file before that");
        OwnCertificate.make(-1).write(folder);
        assertThat(written().read(yaml).warnings())
                .singleElement()
                .asString()
                .contains("certificate expired: CN=own")
                .endsWith("; clients will refuse it, replace the file");
    }

    @Test
    void callersWithCertificatesNeedThoseOfAClientCa() throws Exception {
        String tls = "certificate: chain.pem, key: key.pem, client_ca: ca.pem }, auth: { mtls: { name: san }";
        assertThat(written().read("flows:\n" + flow("a", tls)).config().flows()).hasSize(1);
        assertThat(errors(tls.replace(", client_ca: ca.pem", "")))
                .singleElement()
                .asString()
                .endsWith("'from.http.auth' of flow 'a' has mtls, but its callers present no certificate;"
                        + " add tls: { certificate: server.pem, key: server.key, client_ca: clients.pem }");
    }

    @Test
    void insecureContradictsTls() {
        assertThat(errors("certificate: chain.pem, key: key.pem }, insecure: true, idle_time: { "))
                .first()
                .asString()
                .contains("'from.http.insecure' is true, but 'tls' is given; remove one of the two");
    }

    @Test
    void flowsOfOnePortHaveOneTls() {
        String tls = "certificate: chain.pem, key: key.pem";
        String given = flow("a", tls);
        assertThat(written().errors("flows:\n" + given + flow("b", "")))
                .containsExactly(
                        "f.yaml:3:67: 'from.http.tls' is missing, and flow 'a' on the same port has it; use the same value for both");
        assertThat(written().errors("flows:\n" + flow("b", "") + given))
                .containsExactly(
                        "f.yaml:3:88: 'from.http.tls' is given, and flow 'b' on the same port has none; use the same value for both");
        assertThat(written().errors("flows:\n" + given + flow("b", tls + ", client_ca: ca.pem")))
                .containsExactly(
                        "f.yaml:3:88: 'from.http.tls' is given, and flow 'a' on the same port has another; use the same value for both");
    }
}
