package dev.penstock.http.tls;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file of trusted certificates: PEM, PKCS12 or JKS. The password may be null. */
record TrustFile(Path file, @Nullable Password password) {
    private static final String NEEDS_PASSWORD =
            "contains no trusted certificate that can be read without a password: set its password, or use a PEM file";

    /** Java treats a certificate in a PKCS12 file as trusted only if it has a trust attribute, which OpenSSL does not write. */
    private static final String NOT_MARKED =
            "contains no certificate that is marked as trusted: convert it to PEM with openssl pkcs12 -nokeys, or create a"
                    + " store with keytool -importcert";

    /**
     * Reads the certificates.
     *
     * @throws FileProblem if there is none, or one cannot be read
     */
    List<X509Certificate> read(FileContents contents) {
        byte[] bytes = contents.of(file);
        if (Pem.is(bytes)) {
            return Pem.certificates(file, bytes);
        }
        KeyStore store = KeyStoreReader.open(file, bytes, password == null ? null : password.of(file));
        try {
            return trusted(store);
        } catch (GeneralSecurityException e) {
            throw new FileProblem(file, "contains a certificate that cannot be read (" + FileProblem.line(e) + ")");
        }
    }

    private List<X509Certificate> trusted(KeyStore store) throws GeneralSecurityException {
        List<X509Certificate> found = new ArrayList<>();
        for (String alias : Collections.list(store.aliases())) {
            if (store.isCertificateEntry(alias) && store.getCertificate(alias) instanceof X509Certificate x509) {
                found.add(x509);
            }
        }
        if (found.isEmpty()) {
            throw new FileProblem(file, password == null ? NEEDS_PASSWORD : NOT_MARKED);
        }
        return found;
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
