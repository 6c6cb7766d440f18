package dev.penstock.http.tls;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The files of a client certificate and its key. */
sealed interface KeyFiles {
    /** The paths of the files. */
    List<Path> files();

    /**
     * Parses the files.
     *
     * @throws FileProblem if they do not contain exactly one key and its certificate
     */
    Identity read(FileContents contents);

    /** Two PEM files, or the same file twice; the password is null for an unencrypted key. */
    record InPem(Path chain, Path key, @Nullable Password password) implements KeyFiles {
        @Override
        public List<Path> files() {
            return List.of(chain, key);
        }

        @Override
        public Identity read(FileContents contents) {
            List<X509Certificate> certificates = Pem.certificates(chain, contents.of(chain));
            String algorithm = certificates.getFirst().getPublicKey().getAlgorithm();
            PrivateKey found = Pem.key(key, contents.of(key), algorithm, password);
            return Identity.of(chain, key, found, certificates);
        }

        @Override
        public String toString() {
            return chain + " with key " + key;
        }
    }

    /** A PKCS12 or JKS store with one key, which has the password of the store. */
    record InStore(Path store, Password password) implements KeyFiles {
        @Override
        public List<Path> files() {
            return List.of(store);
        }

        @Override
        public Identity read(FileContents contents) {
            char[] word = password.of(store);
            KeyStore opened = KeyStoreReader.open(store, contents.of(store), word);
            try {
                String alias = onlyKey(opened);
                PrivateKey key = (PrivateKey) opened.getKey(alias, word);
                return Identity.of(store, store, key, x509(opened.getCertificateChain(alias)));
            } catch (UnrecoverableKeyException _) {
                throw new FileProblem(
                        store,
                        "can be opened, but its key has a different password: set it to the store's with keytool -keypasswd");
            } catch (GeneralSecurityException e) {
                throw new FileProblem(store, "contains a key that cannot be read (" + FileProblem.line(e) + ")");
            }
        }

        private String onlyKey(KeyStore opened) throws KeyStoreException {
            List<String> keys = new ArrayList<>();
            for (String alias : Collections.list(opened.aliases())) {
                if (opened.entryInstanceOf(alias, KeyStore.PrivateKeyEntry.class)) {
                    keys.add(alias);
                }
            }
            if (keys.size() != 1) {
                throw new FileProblem(
                        store,
                        "contains " + keys.size()
                                + " private keys with a certificate: it needs exactly one; remove others with keytool -delete");
            }
            return keys.getFirst();
        }

        private static List<X509Certificate> x509(Certificate[] chain) {
            return Arrays.stream(chain).map(X509Certificate.class::cast).toList();
        }

        @Override
        public String toString() {
            return store.toString();
        }
    }
}
