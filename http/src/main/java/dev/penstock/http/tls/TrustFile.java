package dev.penstock.http.tls;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file of certificates that are trusted: PEM, PKCS12 or JKS. The password is null where none is needed. */
record TrustFile(Path file, @Nullable Password password) {
    private static final String NEEDS_PASSWORD =
            "holds no trusted certificate that can be read without a password: give its password, or a PEM file";

    /** Java reads a certificate of a PKCS12 file as trusted only where the file says so; OpenSSL does not write that. */
    private static final String NOT_MARKED =
            "holds no certificate that is marked as trusted: make a PEM file of it with openssl pkcs12 -nokeys, or a store"
                    + " with keytool -importcert";

    /**
     * Its certificates.
     *
     * @throws FileProblem when there is none, or one cannot be read
     */
    List<X509Certificate> read(FileContents contents) {
        byte[] bytes = contents.of(file);
        if (Pem.is(bytes)) {
            return Certificates.ofPem(file, bytes);
        }
        KeyStore store = KeyStoreReader.open(file, bytes, password == null ? null : password.of(file));
        try {
            return trusted(store);
        } catch (GeneralSecurityException e) {
            throw new FileProblem(file, "has a certificate that cannot be read (" + FileProblem.line(e) + ")");
        }
    }

    private List<X509Certificate> trusted(KeyStore store) throws GeneralSecurityException {
        List<X509Certificate> found = new ArrayList<>();
        for (String alias : KeyStoreReader.aliases(store)) {
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
