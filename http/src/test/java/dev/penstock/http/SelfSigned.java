package dev.penstock.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A certificate for 127.0.0.1, not for localhost, that is made for the tests of one JVM, and what trusts it. */
final class SelfSigned {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private static final KeyStore STORE = make();

    private SelfSigned() {}

    /** Proves to be 127.0.0.1, and trusts who does. */
    static SSLContext context() {
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

    private static KeyStore make() {
        try {
            Path directory = Files.createTempDirectory("penstock-tls");
            Path file = directory.resolve("self-signed.p12");
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-genkeypair",
                            "-keystore",
                            file.toString(),
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
            try (InputStream in = Files.newInputStream(file)) {
                store.load(in, PASSWORD);
            }
            Files.delete(file);
            Files.delete(directory);
            // The entry of a key alone is no anchor of trust.
            store.setCertificateEntry("trusted", store.getCertificate("self"));
            return store;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
