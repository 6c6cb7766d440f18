package dev.penstock.http.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Private keys in PEM: PKCS8 (RFC 5958), plain or encrypted, and the older PKCS1 (RFC 8017 appendix A.1.2) and SEC1 (RFC
 * 5915).
 *
 * <h2>Design note</h2>
 *
 * <p>The two older forms say less than PKCS8 does: which algorithm, and often which curve, is left out. The certificate
 * that the key belongs to says both, in the very bytes that PKCS8 wants, so these are taken from there.
 */
final class Pkcs8 {
    private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};

    private final Path file;
    private final PublicKey partner;
    private final @Nullable Password password;

    /**
     * A file that holds the key to a certificate.
     *
     * @param partner the certificate's key
     * @param password what an encrypted key is opened with; null when there is none
     */
    Pkcs8(Path file, PublicKey partner, @Nullable Password password) {
        this.file = file;
        this.partner = partner;
        this.password = password;
    }

    /**
     * Reads the key.
     *
     * @throws FileProblem when there is not exactly one that can be used
     */
    PrivateKey read(byte[] bytes) {
        List<Pem.Block> keys = Pem.blocks(file, bytes).stream()
                .filter(block -> block.label().endsWith("PRIVATE KEY"))
                .toList();
        if (keys.size() != 1) {
            throw new FileProblem(
                    file, "holds " + keys.size() + " private keys: it needs one block -----BEGIN PRIVATE KEY-----");
        }
        try {
            return KeyFactory.getInstance(partner.getAlgorithm())
                    .generatePrivate(new PKCS8EncodedKeySpec(encoded(keys.getFirst())));
        } catch (GeneralSecurityException _) {
            throw new FileProblem(
                    file,
                    "holds no " + partner.getAlgorithm()
                            + " key as the certificate has, or a damaged one: name the key that the certificate was made for");
        }
    }

    private byte[] encoded(Pem.Block key) {
        if (key.hasHeaders()) {
            throw convert("is encrypted in OpenSSL's old way");
        }
        return switch (key.label()) {
            case "PRIVATE KEY" -> key.bytes();
            case "ENCRYPTED PRIVATE KEY" -> decrypted(key.bytes());
            case "RSA PRIVATE KEY", "EC PRIVATE KEY" -> wrapped(key.bytes());
            case "OPENSSH PRIVATE KEY" ->
                throw new FileProblem(file, "is a key of SSH: TLS needs the key that the certificate was made for");
            default -> throw convert("holds a " + key.label());
        };
    }

    private FileProblem convert(String what) {
        return new FileProblem(
                file, what + ": convert it with openssl pkcs8 -topk8 -v2 aes-256-cbc -in " + file + " -out new.pem");
    }

    private byte[] decrypted(byte[] encrypted) {
        if (password == null) {
            throw new FileProblem(file, "is encrypted: give its password");
        }
        EncryptedPrivateKeyInfo info = info(encrypted);
        PBEKeySpec spec = new PBEKeySpec(password.of(file));
        try {
            return info.getKeySpec(
                            SecretKeyFactory.getInstance(info.getAlgName()).generateSecret(spec))
                    .getEncoded();
        } catch (GeneralSecurityException _) {
            throw new FileProblem(file, "cannot be opened: its password is wrong or not ASCII, or it is damaged");
        } finally {
            spec.clearPassword();
        }
    }

    private EncryptedPrivateKeyInfo info(byte[] encrypted) {
        try {
            return new EncryptedPrivateKeyInfo(encrypted);
        } catch (IOException _) {
            throw convert("is damaged, or encrypted in a way that this JVM does not know");
        }
    }

    /** {@code SEQUENCE {version, algorithm, OCTET STRING {key}}}, the algorithm being that of the partner. */
    private byte[] wrapped(byte[] key) {
        byte[] algorithm = Der.firstOf(partner.getEncoded());
        return Der.element(Der.SEQUENCE, VERSION_0, algorithm, Der.element(Der.OCTET_STRING, key));
    }
}
