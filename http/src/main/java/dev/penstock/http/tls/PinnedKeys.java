package dev.penstock.http.tls;

import dev.penstock.text.Sha256;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Accepts servers that another manager accepts and that have one of some public keys. Only the certificate of the server counts: the
 * others that it sends need not be part of the path that was verified.
 */
final class PinnedKeys extends X509ExtendedTrustManager {
    private static final Pattern PIN = Pattern.compile(Tls.PIN);

    private final X509ExtendedTrustManager others;
    private final List<String> pins;

    private PinnedKeys(X509ExtendedTrustManager others, List<String> pins) {
        this.others = others;
        this.pins = pins;
    }

    /** The managers, with the keys that servers must have; none are the same managers. */
    static TrustManager[] in(TrustManager[] managers, List<String> pins) {
        return pins.isEmpty()
                ? managers
                : Stream.of(managers)
                        .map(manager -> new PinnedKeys((X509ExtendedTrustManager) manager, pins))
                        .toArray(TrustManager[]::new);
    }

    static String checked(String pin) {
        if (!PIN.matcher(pin).matches()) {
            throw new IllegalArgumentException(
                    "a pin is sha256/ and the Base64 of 32 bytes, not " + FileProblem.oneLine(pin));
        }
        return pin;
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        String pin = "sha256/"
                + Base64.getEncoder()
                        .encodeToString(Sha256.of(chain[0].getPublicKey().getEncoded()));
        if (!pins.contains(pin)) {
            throw new CertificateException("the server's key " + pin + " is not among the pins; add it if it is right");
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        others.checkServerTrusted(chain, type, engine);
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        others.checkServerTrusted(chain, type, socket);
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        others.checkServerTrusted(chain, type);
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        others.checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        others.checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        others.checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return others.getAcceptedIssuers();
    }
}
