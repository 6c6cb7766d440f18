package dev.penstock.http.tls;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A certificate of this process.
 *
 * @param file the file of the certificate
 * @param key its private key
 * @param chain the certificate of the key first
 * @param names the host names it is for, which may be wildcards
 */
record Identity(Path file, PrivateKey key, List<X509Certificate> chain, List<String> names) {
    private static final byte[] SAMPLE = {'p', 'e', 'n', 's', 't', 'o', 'c', 'k'};

    /** How long before its end a certificate is reported: 21 days. */
    static final Duration AHEAD = Duration.ofDays(21);

    /** The alternative names of type DNS (RFC 5280 section 4.2.1.6). */
    private static final Integer DNS = 2;

    private static List<String> names(X509Certificate certificate) {
        try {
            @Nullable Collection<List<?>> all = certificate.getSubjectAlternativeNames();
            return all == null
                    ? List.of()
                    : all.stream()
                            .filter(name -> name.getFirst().equals(DNS))
                            .map(name -> String.valueOf(name.get(1)).toLowerCase(Locale.ROOT))
                            .sorted()
                            .toList();
        } catch (CertificateParsingException invalid) {
            return List.of();
        }
    }

    boolean isFor(String name) {
        return names.contains(name.toLowerCase(Locale.ROOT));
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
        return new Identity(file, key, List.copyOf(chain), names(chain.getFirst()));
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

    /**
     * What is wrong with its dates, and what to do; null if nothing is.
     *
     * @param own what it is
     * @param peers who verify it
     */
    @Nullable
    String warning(Instant time, String own, String peers) {
        if (time.isBefore(validFrom())) {
            return own + " not yet valid: " + this + " is valid from " + validFrom()
                    + "; check the clock of this machine, or use another certificate until then";
        }
        if (time.isAfter(validUntil())) {
            return own + " expired: " + this + " was valid until " + validUntil() + "; " + peers
                    + " will refuse it, replace the file";
        }
        return time.isAfter(validUntil().minus(AHEAD))
                ? own + " expires soon: " + this + " is valid until " + validUntil() + "; replace the file before that"
                : null;
    }

    /** Without the key. */
    @Override
    public String toString() {
        return subject() + " from " + file;
    }
}
