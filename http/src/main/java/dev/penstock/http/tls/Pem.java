package dev.penstock.http.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Finds the blocks of PEM files (RFC 7468), which the JDK parses. Text around blocks is ignored, as RFC 7468 section 2
 * allows. A file that ends within a block is rejected, because it may still be being written.
 */
final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([^-\n]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

    /** A block without its end, or a last line that may be the start of one. */
    private static final Pattern BEGUN = Pattern.compile("-----BEGIN |(^|\n)-[^\n]*\\z");

    private Pem() {}

    /**
     * One block.
     *
     * @param label its type, for instance {@code CERTIFICATE}
     * @param text the text between its first and last line
     */
    record Block(Path file, String label, String text) {
        /**
         * Returns the decoded content.
         *
         * @throws FileProblem if it is not valid base64
         */
        byte[] bytes() {
            try {
                return Base64.getDecoder().decode(text.replaceAll("\\s+", ""));
            } catch (IllegalArgumentException _) {
                throw new FileProblem(
                        file, "contains a damaged " + label + " block (invalid base64): write the file again");
            }
        }

        private X509Certificate certificate() {
            try {
                return (X509Certificate)
                        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes()));
            } catch (CertificateException _) {
                throw new FileProblem(file, "contains a damaged certificate: write the file again");
            }
        }

        /** Omits the content, which may be a key. */
        @Override
        public String toString() {
            return label + " in " + file;
        }
    }

    /** Whether the bytes contain a PEM block. */
    static boolean is(byte[] bytes) {
        return text(bytes).contains("-----BEGIN ");
    }

    /**
     * Returns all blocks in their order.
     *
     * @throws FileProblem if the file ends within a block
     */
    static List<Block> blocks(Path file, byte[] bytes) {
        String text = text(bytes);
        Matcher found = BLOCK.matcher(text);
        List<Block> blocks = new ArrayList<>();
        int end = 0;
        while (found.find()) {
            blocks.add(new Block(file, found.group(1), found.group(2)));
            end = found.end();
        }
        if (BEGUN.matcher(text.substring(end)).find()) {
            throw new FileProblem(
                    file,
                    "ends within a PEM block: it is being written, or truncated; write it under another name and rename it");
        }
        return blocks;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /**
     * Returns all certificates in their order; other blocks are ignored.
     *
     * @throws FileProblem if there is none, or one cannot be read
     */
    static List<X509Certificate> certificates(Path file, byte[] bytes) {
        List<X509Certificate> certificates = blocks(file, bytes).stream()
                .filter(block ->
                        block.label().equals("CERTIFICATE") || block.label().equals("X509 CERTIFICATE"))
                .map(Block::certificate)
                .toList();
        if (certificates.isEmpty()) {
            throw new FileProblem(file, "contains no certificate: it needs a block -----BEGIN CERTIFICATE-----");
        }
        return certificates;
    }

    /**
     * Returns the private key: PKCS8 (RFC 5958), plain or encrypted.
     *
     * @param algorithm the algorithm of the certificate's key
     * @param password for an encrypted key; may be null
     * @throws FileProblem if the file does not contain exactly one usable key
     */
    static PrivateKey key(Path file, byte[] bytes, String algorithm, @Nullable Password password) {
        List<Block> keys = blocks(file, bytes).stream()
                .filter(block -> block.label().endsWith("PRIVATE KEY"))
                .toList();
        if (keys.size() != 1) {
            throw new FileProblem(
                    file,
                    "contains " + keys.size()
                            + " private keys: it needs exactly one block -----BEGIN PRIVATE KEY-----");
        }
        Block key = keys.getFirst();
        PKCS8EncodedKeySpec encoded = switch (key.label()) {
            case "PRIVATE KEY" -> new PKCS8EncodedKeySpec(key.bytes());
            case "ENCRYPTED PRIVATE KEY" -> decrypted(key, password);
            default ->
                throw new FileProblem(
                        file,
                        "contains a block " + key.label()
                                + ", which is not PKCS8: convert it with openssl pkcs8 -topk8 -nocrypt -in "
                                + file + " -out new.pem");
        };
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
        } catch (GeneralSecurityException _) {
            throw new FileProblem(
                    file,
                    "contains no " + algorithm
                            + " key as the certificate has, or a damaged one: use the key that the certificate was issued for");
        }
    }

    private static PKCS8EncodedKeySpec decrypted(Block key, @Nullable Password password) {
        if (password == null) {
            throw new FileProblem(key.file(), "is encrypted: set its password");
        }
        PBEKeySpec opening = new PBEKeySpec(password.of(key.file()));
        try {
            EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(key.bytes());
            return info.getKeySpec(
                    SecretKeyFactory.getInstance(info.getAlgName()).generateSecret(opening));
        } catch (IOException | GeneralSecurityException _) {
            throw new FileProblem(key.file(), "cannot be opened: wrong password, password not ASCII, or damaged file");
        } finally {
            opening.clearPassword();
        }
    }
}
