package dev.penstock.http.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.UnrecoverableKeyException;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Opens PKCS12 and JKS key stores; detects the type by the first bytes, not by the name. */
final class KeyStoreReader {
    private static final byte DER_SEQUENCE = 0x30;
    private static final int JKS = 0xFEEDFEED;

    private KeyStoreReader() {}

    /**
     * Opens a store.
     *
     * @param password null to read unencrypted entries, without integrity check
     * @throws FileProblem if it is not a store, or the password is wrong
     */
    static KeyStore open(Path file, byte[] bytes, char @Nullable [] password) {
        String type = type(file, bytes);
        try {
            KeyStore store = KeyStore.getInstance(type);
            store.load(new ByteArrayInputStream(bytes), password);
            return store;
        } catch (IOException e) {
            throw new FileProblem(file, whyNot(type, e));
        } catch (GeneralSecurityException e) {
            throw new FileProblem(file, "cannot be opened (" + FileProblem.line(e) + "): create it again with keytool");
        }
    }

    static List<String> aliases(KeyStore store) throws KeyStoreException {
        return Collections.list(store.aliases());
    }

    private static String type(Path file, byte[] bytes) {
        if (bytes.length >= 4 && ByteBuffer.wrap(bytes).getInt() == JKS) {
            return "JKS";
        }
        if (bytes.length == 0 || bytes[0] != DER_SEQUENCE) {
            throw new FileProblem(
                    file, "is neither PEM nor PKCS12 nor JKS, or is still being written: name such a file");
        }
        return "PKCS12";
    }

    private static String whyNot(String type, IOException e) {
        if (e.getCause() instanceof UnrecoverableKeyException) {
            return "cannot be opened: wrong password";
        }
        return "is not a readable " + type + " store (" + FileProblem.line(e)
                + "): it may be truncated; convert a single DER certificate to PEM with openssl x509 -inform der";
    }
}
