package dev.penstock.lab.simulate;

import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of simulators with TLS: self-signed, for localhost, 127.0.0.1 and ::1, valid until 2125. Its private
 * key is shipped with Penstock and public, so it protects nothing: trust it only in tests and races.
 *
 * <p>Thread-safe.
 */
public final class SimulatorCertificate {
    private static final String FILE = "simulator.p12";
    private static final String NAME = "simulator";
    private static final char[] PASSWORD = "penstock".toCharArray();

    private SimulatorCertificate() {}

    /**
     * A context for {@link HttpSimulatorBuilder#tls} with the public key and JDK defaults. Each call creates a new one,
     * so that simulators share no TLS sessions.
     */
    public static SSLContext serverContext() {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(stored(), PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    /** A new trust store for clients that contains only this certificate. */
    public static KeyStore trust() {
        try {
            KeyStore trust = empty();
            trust.setCertificateEntry(NAME, certificate());
            return trust;
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    /** The certificate as PEM (RFC 7468), for instance for {@code curl --cacert}. */
    public static String pem() {
        try {
            byte[] der = certificate().getEncoded();
            Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
            return "-----BEGIN CERTIFICATE-----\n" + lines.encodeToString(der) + "\n-----END CERTIFICATE-----\n";
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    private static Certificate certificate() throws GeneralSecurityException {
        Certificate certificate = stored().getCertificate(NAME);
        if (certificate == null) {
            throw missing(null);
        }
        return certificate;
    }

    private static KeyStore stored() throws GeneralSecurityException {
        try (InputStream in = SimulatorCertificate.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw missing(null);
            }
            KeyStore stored = KeyStore.getInstance("PKCS12");
            stored.load(in, PASSWORD);
            return stored;
        } catch (IOException e) {
            throw missing(e);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException {
        try {
            KeyStore empty = KeyStore.getInstance("PKCS12");
            empty.load(null, null);
            return empty;
        } catch (IOException e) {
            throw missing(e);
        }
    }

    /** The file is part of the program: without it the build is broken. */
    private static IllegalStateException missing(@Nullable Exception cause) {
        return new IllegalStateException("the simulator's certificate " + FILE + " cannot be read", cause);
    }
}
