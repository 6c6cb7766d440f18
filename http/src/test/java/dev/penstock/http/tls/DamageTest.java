package dev.penstock.http.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files with wrong bytes in them: each is used or refused in one line, and nothing else comes out of the JDK's parsers. */
class DamageTest {
    private static final TestAuthority AUTHORITY = TestAuthority.first();
    private static final Supplier<char[]> PASSWORD = TestAuthority.PASSWORD::clone;

    @TempDir
    Path directory;

    @Test
    void certificates() throws Exception {
        Path file = directory.resolve("ca.pem");
        damagePem(
                "CERTIFICATE",
                AUTHORITY.certificate("ca").getEncoded(),
                file,
                Tls.platform().trusting(file));
    }

    @Test
    void keys() throws Exception {
        Path ca = Files.writeString(directory.resolve("ca.pem"), AUTHORITY.caPem());
        Path chain = Files.writeString(directory.resolve("client.pem"), AUTHORITY.certificatePem("client"));
        Path file = directory.resolve("client.key");
        Tls tls = Tls.platform().trusting(ca).presenting(chain, file, PASSWORD);
        byte[] key = AUTHORITY.key("client").getEncoded();
        damagePem("PRIVATE KEY", key, file, tls);
        damagePem("ENCRYPTED PRIVATE KEY", PresentingTest.encrypted(AUTHORITY.key("client")), file, tls);
    }

    @Test
    void stores() throws Exception {
        Path file = directory.resolve("client.store");
        Path ca = Files.writeString(directory.resolve("ca.pem"), AUTHORITY.caPem());
        Tls tls = Tls.platform().trusting(ca).presenting(file, PASSWORD);
        for (String type : new String[] {"PKCS12", "JKS"}) {
            byte[] store = AUTHORITY.keyStore(type, "client");
            Random random = new Random(4711);
            int refused = 0;
            for (int i = 0; i < 50; i++) {
                Files.write(file, damaged(store, random));
                refused += isRefused(tls) ? 1 : 0;
            }
            assertThat(refused)
                    .as("every change of a %s store is noticed", type)
                    .isEqualTo(50);
        }
    }

    private static void damagePem(String label, byte[] der, Path file, Tls tls) throws Exception {
        Files.writeString(file, TestAuthority.pem(label, der));
        assertThat(isRefused(tls)).as("undamaged %s", label).isFalse();
        Random random = new Random(4711);
        int refused = 0;
        for (int i = 0; i < 200; i++) {
            Files.writeString(file, TestAuthority.pem(label, damaged(der, random)), StandardCharsets.US_ASCII);
            refused += isRefused(tls) ? 1 : 0;
        }
        assertThat(refused).as("refused of 200, %s", label).isPositive();
    }

    private static byte[] damaged(byte[] whole, Random random) {
        byte[] bytes = whole.clone();
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        return bytes;
    }

    /** Anything thrown but a fault fails the test. */
    private static boolean isRefused(Tls tls) {
        try {
            tls.load(FileContents.read(tls.files()), Instant.EPOCH);
            return false;
        } catch (FileProblem e) {
            assertThat(e.getMessage()).doesNotContain("\n", new String(TestAuthority.PASSWORD));
            return true;
        }
    }
}
