package dev.penstock.http.source;

import dev.penstock.http.tls.TlsMaterial;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/** HTTP over TLS, with the version of HTTP that the client prefers (ALPN, RFC 7301). Thread-safe. */
final class TlsProtocols {
    private volatile TlsMaterial material;
    private final SslContextFactory.Server ssl = new SslContextFactory.Server();

    TlsProtocols(TlsMaterial material) {
        this.material = material;
        set(ssl, material.context());
        ssl.setRenegotiationAllowed(false);
    }

    private void set(SslContextFactory factory, SSLContext context) {
        SSLParameters asked = material.parameters();
        factory.setSslContext(context);
        factory.setIncludeProtocols(asked.getProtocols());
        ssl.setNeedClientAuth(asked.getNeedClientAuth());
        ssl.setWantClientAuth(asked.getWantClientAuth());
    }

    /** Uses other files for new connections. */
    synchronized void use(TlsMaterial next) {
        material = next;
        reload();
    }

    List<ConnectionFactory> of(HttpConfiguration http) {
        ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
        alpn.setDefaultProtocol(HttpVersion.HTTP_1_1.asString());
        SslConnectionFactory handshake = new SslConnectionFactory(ssl, alpn.getProtocol());
        handshake.setEnsureSecureRequestCustomizer(false); // a certificate may be for other hosts than requests
        return List.of(
                handshake,
                alpn,
                Http2Bounds.set(new HTTP2ServerConnectionFactory(http)),
                new HttpConnectionFactory(http));
    }

    /** Uses changed files for new connections. Blocks while it reads them. */
    synchronized void reload() {
        SSLContext now = material.context();
        if (!now.equals(ssl.getSslContext())) {
            try {
                ssl.reload(factory -> set(factory, now));
            } catch (Exception e) {
                throw new IllegalStateException("changed certificates cannot be used", e);
            }
        }
    }
}
