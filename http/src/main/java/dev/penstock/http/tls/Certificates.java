package dev.penstock.http.tls;

import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** The certificates of a PEM file. */
final class Certificates {
    private Certificates() {}

    /**
     * Returns all certificates in their order; other blocks are ignored.
     *
     * @throws FileProblem if there is none, or one cannot be read
     */
    static List<X509Certificate> ofPem(Path file, byte[] bytes) {
        List<X509Certificate> found = new ArrayList<>();
        for (Pem.Block block : Pem.blocks(file, bytes)) {
            switch (block.label()) {
                case "CERTIFICATE", "X509 CERTIFICATE" -> found.add(parse(block));
                case "TRUSTED CERTIFICATE" ->
                    throw new FileProblem(
                            file,
                            "is in OpenSSL's own format (TRUSTED CERTIFICATE): convert it with openssl x509 -in " + file
                                    + " -out new.pem");
                default -> {}
            }
        }
        if (found.isEmpty()) {
            throw new FileProblem(file, "contains no certificate: it needs a block -----BEGIN CERTIFICATE-----");
        }
        return found;
    }

    private static X509Certificate parse(Pem.Block block) {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(block.bytes()));
        } catch (CertificateException _) {
            throw new FileProblem(block.file(), "contains a damaged certificate: write the file again");
        }
    }
}
