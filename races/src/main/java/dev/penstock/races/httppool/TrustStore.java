package dev.penstock.races.httppool;

import dev.penstock.lab.simulate.SimulatorCertificate;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;

/**
 * The simulated gateway's certificate in a file, as a JVM takes it in place of the certificates that it comes with. Gone once
 * it is closed.
 *
 * <p>So every client finds it in the one way that all of them have by default, and none is set up by hand: what a client does
 * to check a certificate and a name, and to resume a session, is its own.
 */
final class TrustStore implements AutoCloseable {
    /** Protects nothing: the certificate is public. */
    private static final String PASSWORD = "penstock";

    private final Path file;

    private TrustStore(Path file) {
        this.file = file;
    }

    /** Writes one. */
    static TrustStore make() throws IOException {
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

    /** Makes this JVM trust what is in such a file and nothing else; to be called before anything speaks TLS here. */
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
