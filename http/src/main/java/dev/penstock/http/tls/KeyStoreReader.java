package dev.penstock.http.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import org.jspecify.annotations.Nullable;

/** Opens key stores. */
final class KeyStoreReader {
    private KeyStoreReader() {}

    /**
     * Opens a PKCS12 or JKS store: the JDK's type PKCS12 reads both, whatever the name of the file.
     *
     * @param password null to read unencrypted entries, without integrity check
     * @throws FileProblem if it is not a store, or the password is wrong
     */
    static KeyStore open(Path file, byte[] bytes, char @Nullable [] password) {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(new ByteArrayInputStream(bytes), password);
            return store;
        } catch (IOException e) {
            throw new FileProblem(
                    file,
                    e.getCause() instanceof UnrecoverableKeyException
                            ? "cannot be opened: wrong password"
                            : "is neither PEM nor a readable PKCS12 or JKS store (" + FileProblem.line(e)
                                    + "): it may be truncated, or still be written; convert a single DER certificate to"
                                    + " PEM with openssl x509 -inform der");
        } catch (GeneralSecurityException e) {
            throw new FileProblem(file, "cannot be opened (" + FileProblem.line(e) + "): create it again with keytool");
        }
    }
}
