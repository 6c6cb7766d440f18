package dev.penstock.http.tls;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.time.Instant;
import java.util.List;

/**
 * The client certificate: a private key and its certificate chain.
 *
 * <p>A class instead of a record, so that toString does not print the key.
 */
final class Identity {
    private static final byte[] SAMPLE = {'p', 'e', 'n', 's', 't', 'o', 'c', 'k'};

    /** The validity of a certificate at an instant. */
    enum Validity {
        NOT_YET,
        VALID,
        EXPIRED
    }

    private final Path file;
    private final PrivateKey key;
    private final List<X509Certificate> chain;

    private Identity(Path file, PrivateKey key, List<X509Certificate> chain) {
        this.file = file;
        this.key = key;
        this.chain = chain;
    }

    /**
     * Creates an identity.
     *
     * @param file the file of the certificate
     * @param keyFile the file of the key
     * @param chain the certificate of the key first
     * @throws FileProblem if key and certificate do not match
     */
    static Identity of(Path file, Path keyFile, PrivateKey key, List<X509Certificate> chain) {
        if (!match(key, chain.getFirst().getPublicKey())) {
            throw new FileProblem(
                    keyFile,
                    "is not the key of the first certificate in " + file
                            + ": one file is from another rotation, or the chain does not begin with the certificate of the key");
        }
        return new Identity(file, key, List.copyOf(chain));
    }

    private static boolean match(PrivateKey key, PublicKey publicKey) {
        if (key instanceof RSAKey mine && publicKey instanceof RSAKey theirs) {
            return mine.getModulus().equals(theirs.getModulus());
        }
        try {
            Signature signature =
                    Signature.getInstance(key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : key.getAlgorithm());
            signature.initSign(key);
            signature.update(SAMPLE);
            byte[] signed = signature.sign();
            signature.initVerify(publicKey);
            signature.update(SAMPLE);
            return signature.verify(signed);
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    Path file() {
        return file;
    }

    PrivateKey key() {
        return key;
    }

    List<X509Certificate> chain() {
        return chain;
    }

    /** The subject of the certificate. */
    String subject() {
        return FileProblem.oneLine(chain.getFirst().getSubjectX500Principal().getName());
    }

    Instant validFrom() {
        return chain.getFirst().getNotBefore().toInstant();
    }

    Instant validUntil() {
        return chain.getFirst().getNotAfter().toInstant();
    }

    Validity validityAt(Instant time) {
        if (time.isBefore(validFrom())) {
            return Validity.NOT_YET;
        }
        return time.isAfter(validUntil()) ? Validity.EXPIRED : Validity.VALID;
    }

    @Override
    public String toString() {
        return subject() + " from " + file;
    }
}
