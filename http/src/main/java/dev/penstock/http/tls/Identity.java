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
 * What is presented to a target that asks who we are: a private key, and its certificate with those that vouch for it.
 *
 * <p>A class and no record, so that nothing prints the key.
 */
final class Identity {
    private static final byte[] SAMPLE = {'p', 'e', 'n', 's', 't', 'o', 'c', 'k'};

    /** Where an instant stands to the time for which a certificate was made. */
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
     * A key and its certificates.
     *
     * @param file where the certificate stands
     * @param keyFile where the key stands
     * @param chain the certificate of the key first
     * @throws FileProblem when they do not belong together
     */
    static Identity of(Path file, Path keyFile, PrivateKey key, List<X509Certificate> chain) {
        if (!belong(key, chain.getFirst().getPublicKey())) {
            throw new FileProblem(
                    keyFile,
                    "is not the key of the first certificate in " + file
                            + ": one of them is of another rotation, or the chain does not begin with the key's own");
        }
        return new Identity(file, key, List.copyOf(chain));
    }

    private static boolean belong(PrivateKey key, PublicKey partner) {
        if (key instanceof RSAKey mine && partner instanceof RSAKey theirs) {
            return mine.getModulus().equals(theirs.getModulus());
        }
        try {
            Signature signature =
                    Signature.getInstance(key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : key.getAlgorithm());
            signature.initSign(key);
            signature.update(SAMPLE);
            byte[] signed = signature.sign();
            signature.initVerify(partner);
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

    /** Whose certificate it is. */
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
