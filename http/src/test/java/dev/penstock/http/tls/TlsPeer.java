package dev.penstock.http.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A server on loopback with an authority's certificate for localhost. It demands a client certificate of that authority,
 * but names its own certificate as the only authority that it accepts: servers in the field name wrong ones too. To each
 * client that it accepts it says one byte, and it keeps whom it saw. Safe for many threads.
 */
public final class TlsPeer implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
    private volatile SSLContext context;
    private volatile String @Nullable [] protocols;

    TlsPeer(TestAuthority authority) throws Exception {
        context = contextOf(authority);
        Thread.ofVirtual().start(this::acceptAll);
    }

    /** Is of another authority from now on. */
    void exchange(TestAuthority authority) throws Exception {
        context = contextOf(authority);
    }

    void speakOnly(String protocol) {
        protocols = new String[] {protocol};
    }

    /** A connection to it, before TLS. */
    Socket connect() throws IOException {
        return new Socket(listening.getInetAddress(), listening.getLocalPort());
    }

    int port() {
        return listening.getLocalPort();
    }

    /** Whom it saw in the next handshake that was not yet asked for: a client's name, or {@code refused}. */
    String saw() throws InterruptedException {
        return Objects.requireNonNullElse(seen.poll(60, TimeUnit.SECONDS), "nobody within 60 s");
    }

    private void acceptAll() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException _) {
                return;
            }
        }
    }

    private void serve(Socket plain) {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, null, true)) {
            socket.setNeedClientAuth(true);
            String[] only = protocols;
            if (only != null) {
                socket.setEnabledProtocols(only);
            }
            socket.startHandshake();
            seen.add(socket.getSession().getPeerPrincipal().getName());
            socket.getOutputStream().write(1);
            // Until the client closes.
            socket.getInputStream().read();
        } catch (IOException _) {
            seen.add("refused");
        }
    }

    /** What a server of an authority speaks TLS with. */
    public static SSLContext contextOf(TestAuthority authority) throws Exception {
        return contextOf(authority, "server");
    }

    /** With the certificate of that kind. */
    public static SSLContext contextOf(TestAuthority authority, String kind) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(authority.opened(kind), TestAuthority.PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                keys.getKeyManagers(),
                new TrustManager[] {new Clients(authority.certificate("ca"), authority.certificate("server"))},
                null);
        return context;
    }

    private record Clients(X509Certificate authority, X509Certificate named) implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            try {
                chain[0].verify(authority.getPublicKey());
            } catch (GeneralSecurityException e) {
                throw new CertificateException("of another authority", e);
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("a server meets no servers");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[] {named};
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
