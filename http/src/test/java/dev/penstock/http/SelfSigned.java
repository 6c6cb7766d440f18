package dev.penstock.http;

import dev.penstock.http.tls.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for 127.0.0.1, not for localhost, that is made for the tests of one JVM, and what trusts it. */
public final class SelfSigned {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private static final Path FILE = Path.of(
            System.getProperty("java.io.tmpdir"),
            "penstock-" + ProcessHandle.current().pid() + ".p12");

    private static final KeyStore STORE = make();

    private SelfSigned() {}

    /** Proves to be 127.0.0.1, and trusts who does. */
    public static SSLContext context() {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(STORE, PASSWORD);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(STORE);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Trusts who proves to be 127.0.0.1, by the means of users. */
    static Tls trust() {
        return Tls.platform().trusting(FILE, PASSWORD::clone);
    }

    private static KeyStore make() {
        try {
            Files.deleteIfExists(FILE);
            FILE.toFile().deleteOnExit();
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-J-XX:TieredStopAtLevel=1",
                            "-genkeypair",
                            "-keystore",
                            FILE.toString(),
                            "-storepass",
                            new String(PASSWORD),
                            "-alias",
                            "self",
                            "-keyalg",
                            "EC",
                            "-dname",
                            "CN=penstock.test",
                            "-ext",
                            "SAN=ip:127.0.0.1",
                            "-validity",
                            "36500")
                    .inheritIO()
                    .start();
            if (keytool.waitFor() != 0) {
                throw new IllegalStateException("keytool ended with " + keytool.exitValue());
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(FILE)) {
                store.load(in, PASSWORD);
            }
            // The entry of a key alone is no anchor of trust.
            store.setCertificateEntry("trusted", store.getCertificate("self"));
            try (OutputStream out = Files.newOutputStream(FILE)) {
                store.store(out, PASSWORD);
            }
            return store;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
