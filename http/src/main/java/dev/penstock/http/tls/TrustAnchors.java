package dev.penstock.http.tls;

import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** The trusted certificates. */
final class TrustAnchors {
    private static final String PLATFORM = "the JVM's trust store";

    private final TrustManager[] managers;
    private final int certificates;
    private final String from;
    private final @Nullable X509Certificate firstToExpire;

    private TrustAnchors(
            TrustManager[] managers, int certificates, String from, @Nullable X509Certificate firstToExpire) {
        this.managers = managers;
        this.certificates = certificates;
        this.from = from;
        this.firstToExpire = firstToExpire;
    }

    /**
     * Loads the JVM's trust store: javax.net.ssl.trustStore, or its built-in list.
     *
     * @throws IllegalArgumentException if it is empty or cannot be read
     */
    static TrustAnchors platform() {
        TrustManager[] managers;
        try {
            managers = managers(null);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(PLATFORM + " cannot be read (" + FileProblem.line(e)
                    + "): check javax.net.ssl.trustStore, or set a file of trusted certificates");
        }
        int certificates = Stream.of(managers)
                .filter(X509TrustManager.class::isInstance)
                .mapToInt(manager -> ((X509TrustManager) manager).getAcceptedIssuers().length)
                .sum();
        if (certificates == 0) {
            throw new IllegalArgumentException(PLATFORM
                    + " is empty: install the CA certificates of the system, check javax.net.ssl.trustStore, or set a file"
                    + " of trusted certificates");
        }
        return new TrustAnchors(managers, certificates, PLATFORM, null);
    }

    /**
     * Loads the certificates of some files.
     *
     * @throws FileProblem if one of them cannot be used
     */
    static TrustAnchors of(List<TrustFile> files, FileContents contents) {
        List<X509Certificate> all = files.stream()
                .flatMap(file -> file.read(contents).stream())
                .distinct()
                .toList();
        String from = files.stream().map(TrustFile::toString).collect(Collectors.joining(", "));
        X509Certificate first = all.stream()
                .min(Comparator.comparing(X509Certificate::getNotAfter))
                .orElseThrow();
        try {
            return new TrustAnchors(managers(store(all)), all.size(), from, first);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(from + " cannot be trusted (" + FileProblem.line(e) + ")", e);
        }
    }

    private static TrustManager[] managers(@Nullable KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyStore store(List<X509Certificate> certificates) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        for (int i = 0; i < certificates.size(); i++) {
            store.setCertificateEntry("trusted-" + i, certificates.get(i));
        }
        return store;
    }

    TrustManager[] managers() {
        return managers;
    }

    Setting setting(Instant since) {
        return new Setting(
                "tls.trust",
                firstToExpire == null ? from : this.toString(),
                "the JVM's trust store, or PEM, PKCS12 and JKS files",
                firstToExpire == null ? "no trust file was given" : "given; " + expiry(firstToExpire),
                since,
                firstToExpire == null ? Origin.DEFAULT : Origin.GIVEN);
    }

    private static String expiry(X509Certificate first) {
        return "the first of them to expire is valid until "
                + first.getNotAfter().toInstant() + " ("
                + FileProblem.oneLine(first.getSubjectX500Principal().getName()) + ")";
    }

    @Override
    public String toString() {
        return certificates + (certificates == 1 ? " certificate of " : " certificates of ") + from;
    }
}
