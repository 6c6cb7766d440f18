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
 * Reads private keys in PEM: PKCS8 (RFC 5958), plain or encrypted, as the JDK does. For the older PKCS1 (RFC 8017 appendix
 * A.1.2) and SEC1 (RFC 5915) the error names the command that converts them.
 */
final class Pkcs8 {
    private final Path file;
    private final PublicKey publicKey;
    private final @Nullable Password password;

    /**
     * Creates a reader for the key of a certificate.
     *
     * @param publicKey the key of the certificate
     * @param password for an encrypted key; may be null
     */
    Pkcs8(Path file, PublicKey publicKey, @Nullable Password password) {
        this.file = file;
        this.publicKey = publicKey;
        this.password = password;
    }

    /**
     * Reads the key.
     *
     * @throws FileProblem if the file does not contain exactly one usable key
     */
    PrivateKey read(byte[] bytes) {
        List<Pem.Block> keys = Pem.blocks(file, bytes).stream()
                .filter(block -> block.label().endsWith("PRIVATE KEY"))
                .toList();
        if (keys.size() != 1) {
            throw new FileProblem(
                    file,
                    "contains " + keys.size()
                            + " private keys: it needs exactly one block -----BEGIN PRIVATE KEY-----");
        }
        try {
            return KeyFactory.getInstance(publicKey.getAlgorithm())
                    .generatePrivate(new PKCS8EncodedKeySpec(encoded(keys.getFirst())));
        } catch (GeneralSecurityException _) {
            throw new FileProblem(
                    file,
                    "contains no " + publicKey.getAlgorithm()
                            + " key as the certificate has, or a damaged one: use the key that the certificate was issued for");
        }
    }

    private byte[] encoded(Pem.Block key) {
        if (key.hasHeaders()) {
            throw convert("is encrypted in OpenSSL's legacy format", "-v2 aes-256-cbc");
        }
        return switch (key.label()) {
            case "PRIVATE KEY" -> key.bytes();
            case "ENCRYPTED PRIVATE KEY" -> decrypted(key.bytes());
            case "OPENSSH PRIVATE KEY" ->
                throw new FileProblem(file, "is an SSH key: TLS needs the key that the certificate was issued for");
            default -> throw convert("contains a block " + key.label() + ", which is not PKCS8", "-nocrypt");
        };
    }

    private FileProblem convert(String what, String option) {
        return new FileProblem(
                file, what + ": convert it with openssl pkcs8 -topk8 " + option + " -in " + file + " -out new.pem");
    }

    private byte[] decrypted(byte[] encrypted) {
        if (password == null) {
            throw new FileProblem(file, "is encrypted: set its password");
        }
        EncryptedPrivateKeyInfo info = info(encrypted);
        PBEKeySpec spec = new PBEKeySpec(password.of(file));
        try {
            return info.getKeySpec(
                            SecretKeyFactory.getInstance(info.getAlgName()).generateSecret(spec))
                    .getEncoded();
        } catch (GeneralSecurityException _) {
            throw new FileProblem(file, "cannot be opened: wrong password, password not ASCII, or damaged file");
        } finally {
            spec.clearPassword();
        }
    }

    private EncryptedPrivateKeyInfo info(byte[] encrypted) {
        try {
            return new EncryptedPrivateKeyInfo(encrypted);
        } catch (IOException _) {
            throw convert(
                    "is damaged, or encrypted with an algorithm that this JVM does not support", "-v2 aes-256-cbc");
        }
    }
}
