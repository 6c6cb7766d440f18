package dev.penstock.races.httppool;

import dev.penstock.lab.simulate.SimulatorCertificate;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;

/**
 * The simulated gateway's certificate in a trust store file that replaces the JVM's default one. Deleted on close.
 *
 * <p>Every client finds it through the JVM's default mechanism, without special configuration: checking of certificates
 * and names, and session resumption, are each client's defaults.
 */
final class TrustStore implements AutoCloseable {
    /** Protects nothing: the certificate is public. */
    private static final String PASSWORD = "penstock";

    private final Path file;

    private TrustStore(Path file) {
        this.file = file;
    }

    /** Writes the file. */
    static TrustStore create() throws IOException {
        Path file = Files.createTempFile("penstock-trust", ".p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            SimulatorCertificate.trust().store(out, PASSWORD.toCharArray());
            return new TrustStore(file);
        } catch (GeneralSecurityException e) {
            Files.delete(file);
            throw new IOException("the gateway's certificate cannot be written", e);
        }
    }

    Path file() {
        return file;
    }

    /** Makes this JVM trust only the certificates in the file; call before any use of TLS. */
    static void use(String file) {
        System.setProperty("javax.net.ssl.trustStore", file);
        System.setProperty("javax.net.ssl.trustStoreType", "PKCS12");
        System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(file);
    }
}
