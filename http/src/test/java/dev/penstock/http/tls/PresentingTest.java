package dev.penstock.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every form in which a client certificate and its key may come, and what is said of those that cannot be used. */
class PresentingTest {
    private static final TestAuthority AUTHORITY = TestAuthority.first();

    @TempDir
    Path directory;

    private Path chain;
    private Path key;

    @BeforeEach
    void files() throws Exception {
        chain = write("client.pem", AUTHORITY.certificatePem("client"));
        key = directory.resolve("client.key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"client", "rsa", "ed25519"})
    void keysInPkcs8(String kind) throws Exception {
        write("client.pem", AUTHORITY.certificatePem(kind));
        write("client.key", AUTHORITY.keyPem(kind));
        assertThat(presented().key()).isEqualTo(AUTHORITY.key(kind));
        assertThat(presented().chain()).containsExactly(AUTHORITY.certificate(kind));
    }

    @Test
    void oneFileMayHoldBoth() throws Exception {
        Path both =
                write("both.pem", AUTHORITY.keyPem("client") + AUTHORITY.certificatePem("client") + AUTHORITY.caPem());
        Identity identity = new KeyFiles.InPem(both, both, null).read(FileContents.read(List.of(both)));
        assertThat(identity.key()).isEqualTo(AUTHORITY.key("client"));
        assertThat(identity.chain()).containsExactly(AUTHORITY.certificate("client"), AUTHORITY.certificate("ca"));
    }

    @Test
    void encryptedKeys() throws Exception {
        write("client.key", TestAuthority.pem("ENCRYPTED PRIVATE KEY", encrypted(AUTHORITY.key("client"))));
        assertThat(read(Tls.platform().presenting(chain, key, PresentingTest::right))
                        .key())
                .isEqualTo(AUTHORITY.key("client"));
        refused(Tls.platform().presenting(chain, key, PresentingTest::wrong))
                .hasMessage(key + " cannot be opened: wrong password, password not ASCII, or damaged file");
        refused(Tls.platform().presenting(chain, key)).hasMessage(key + " is encrypted: set its password");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PKCS12", "JKS"})
    void stores(String type) throws Exception {
        Path store = directory.resolve("client.store");
        Files.write(store, AUTHORITY.keyStore(type, "client"));
        Identity identity = read(Tls.platform().presenting(store, PresentingTest::right));
        assertThat(identity.key()).isEqualTo(AUTHORITY.key("client"));
        assertThat(identity.chain()).containsExactly(AUTHORITY.certificate("client"), AUTHORITY.certificate("ca"));
        refused(Tls.platform().presenting(store, PresentingTest::wrong))
                .hasMessage(store + " cannot be opened: wrong password");
    }

    @Test
    void aStoreNeedsExactlyOneKey() throws Exception {
        Path store = directory.resolve("client.p12");
        Files.write(store, AUTHORITY.keyStore("PKCS12", "client", "rsa"));
        refused(Tls.platform().presenting(store, PresentingTest::right))
                .hasMessageStartingWith(store + " contains 2 private keys");
        Files.write(store, AUTHORITY.trustStore("PKCS12", TestAuthority.PASSWORD));
        refused(Tls.platform().presenting(store, PresentingTest::right))
                .hasMessageStartingWith(store + " contains 0 private keys");
    }

    @Test
    void aPasswordThatCannotBeHadIsNotQuoted() throws Exception {
        Path store = directory.resolve("client.p12");
        Files.write(store, AUTHORITY.keyStore("PKCS12", "client"));
        Supplier<char[]> fails = () -> {
            throw new IllegalStateException("no place for " + new String(TestAuthority.PASSWORD));
        };
        refused(Tls.platform().presenting(store, fails))
                .hasMessage(store + " cannot be opened: reading its password failed (IllegalStateException)")
                .hasNoCause();
        refused(Tls.platform().presenting(store, () -> null)).hasMessageContaining("its password is missing");
    }

    @Test
    void aKeyOfAnotherCertificateIsRefused() throws Exception {
        String otherRotation = key + " is not the key of the first certificate in " + chain;
        write("client.key", AUTHORITY.keyPem("server"));
        refusedPem().hasMessageStartingWith(otherRotation);

        write("client.pem", AUTHORITY.caPem() + AUTHORITY.certificatePem("client"));
        write("client.key", AUTHORITY.keyPem("client"));
        refusedPem().hasMessageContaining("the chain does not begin with the certificate of the key");

        write("client.key", AUTHORITY.keyPem("rsa"));
        refusedPem().hasMessageStartingWith(key + " contains no EC key as the certificate has");
    }

    @Test
    void keysInOtherFormsAreToldWhatToDo() throws Exception {
        for (String older : List.of("RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY")) {
            String encrypted =
                    TestAuthority.pem(older, new byte[3]).replace("KEY-----\nA", "KEY-----\nProc-Type: 4\n\nA");
            write("client.key", encrypted);
            refusedPem()
                    .hasMessage(
                            key + " contains a block " + older + ", which is not PKCS8: convert it with openssl pkcs8"
                                    + " -topk8 -nocrypt -in " + key + " -out new.pem");
        }
        write("client.key", AUTHORITY.certificatePem("client"));
        refusedPem().hasMessageStartingWith(key + " contains 0 private keys");
        write("client.key", AUTHORITY.keyPem("client") + AUTHORITY.keyPem("client"));
        refusedPem().hasMessageStartingWith(key + " contains 2 private keys");
        write("client.key", TestAuthority.pem("PRIVATE KEY", new byte[] {1, 2, 3}));
        refusedPem().hasMessageStartingWith(key + " contains no EC key as the certificate has, or a damaged one");
    }

    @Test
    void whatIsNotThereOrNoFileIsRefused() throws Exception {
        refusedPem().hasMessageStartingWith(key + " does not exist: check the path");
        Files.createDirectory(key);
        refusedPem().hasMessageStartingWith(key + " is not a regular file");
    }

    @Test
    void nothingShowsASecret() throws Exception {
        write("client.key", AUTHORITY.keyPem("client"));
        Tls tls = Tls.platform().presenting(chain, key, PresentingTest::right);
        TlsMaterial material = tls.open();
        String secret = AUTHORITY.keyPem("client").lines().skip(1).findFirst().orElseThrow();
        assertThat(tls + " " + material + material.settings() + read(tls) + new Password(PresentingTest::right))
                .contains(chain.toString())
                .doesNotContain(new String(TestAuthority.PASSWORD), secret);
    }

    private static char[] right() {
        return TestAuthority.PASSWORD;
    }

    private static char[] wrong() {
        return "something else".toCharArray();
    }

    private Identity presented() {
        return read(Tls.platform().presenting(chain, key));
    }

    private static Identity read(Tls tls) {
        return tls.load(FileContents.read(tls.files()), Instant.EPOCH)
                .identities()
                .getFirst();
    }

    private AbstractThrowableAssert<?, ? extends Throwable> refusedPem() {
        return refused(Tls.platform().presenting(chain, key));
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> refused(Tls tls) {
        AbstractThrowableAssert<?, ? extends Throwable> refusal = assertThatThrownBy(tls::open);
        refusal.isInstanceOf(IllegalArgumentException.class)
                .message()
                .doesNotContain("\n", new String(TestAuthority.PASSWORD));
        return refusal;
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    /** PKCS8, encrypted as OpenSSL does it (PBES2). */
    static byte[] encrypted(PrivateKey key) throws Exception {
        String algorithm = "PBEWithHmacSHA256AndAES_256";
        byte[] pbes2 = {0x06, 0x09, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 0x01, 0x05, 0x0d};
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(
                Cipher.ENCRYPT_MODE,
                SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(TestAuthority.PASSWORD)));
        byte[] how = Der.element(Der.SEQUENCE, pbes2, cipher.getParameters().getEncoded());
        byte[] sealed = Der.element(Der.OCTET_STRING, cipher.doFinal(key.getEncoded()));
        return Der.element(Der.SEQUENCE, how, sealed);
    }
}
