package dev.penstock.races.httppool;

import dev.penstock.lab.load.PaymentXml.Payment;
import dev.penstock.races.httppool.BareConnection.BareLine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.ConcurrentLinkedDeque;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/**
 * The minimal client for payments over persistent connections: a blocking socket on the caller's virtual thread, a LIFO
 * stack of idle connections, and one non-blocking read before reuse, which detects immediately whether the peer has
 * closed. No timeouts except for connecting, and no limits: it is the bound for products, not a product. For https URLs
 * the same with the JDK's TLS engine.
 */
final class BareLoop implements Client {
    private final InetSocketAddress address;
    private final boolean secure;
    private final String head;
    private final ConcurrentLinkedDeque<BareConnection> idle = new ConcurrentLinkedDeque<>();

    BareLoop(URI url) {
        this.address = new InetSocketAddress(url.getHost(), url.getPort());
        this.secure = url.getScheme().equals("https");
        this.head = "POST " + url.getPath() + " HTTP/1.1\r\nHost: " + url.getAuthority() + "\r\nContent-Type: " + TYPE
                + "\r\n" + KEY + ": ";
    }

    @Override
    public Reply call(Payment payment) throws Exception {
        BareConnection connection = lease();
        boolean reusable = false;
        try {
            byte[] request = request(payment);
            Reply reply = connection.exchange(request);
            reusable = connection.isReusable();
            return reply;
        } catch (IOException e) {
            throw ExceptionEndings.of(e);
        } finally {
            if (reusable) {
                idle.push(connection);
            } else {
                connection.close();
            }
        }
    }

    private byte[] request(Payment payment) {
        int length = payment.xml().length(); // ASCII only
        return (head + payment.id() + "\r\nContent-Length: " + length + "\r\n\r\n" + payment.xml())
                .getBytes(StandardCharsets.US_ASCII);
    }

    private BareConnection lease() throws Exception {
        for (BareConnection kept = idle.poll(); kept != null; kept = idle.poll()) {
            if (kept.isOpen()) {
                return kept;
            }
            kept.close();
        }
        SocketChannel channel = SocketChannel.open();
        try {
            channel.socket().setTcpNoDelay(true);
            channel.socket().connect(address, (int) OriginSettings.CONNECT.toMillis());
            return new BareConnection(secure ? new BareTls(channel, engine()) : new BareLine.Plain(channel));
        } catch (IOException | NoSuchAlgorithmException e) {
            channel.close();
            throw ExceptionEndings.connect(e);
        }
    }

    /**
     * Uses the JVM's trust store, checks the host name, and resumes sessions, which the JDK caches by host and port.
     */
    private SSLEngine engine() throws NoSuchAlgorithmException {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine(address.getHostString(), address.getPort());
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
        engine.setUseClientMode(true);
        return engine;
    }

    @Override
    public void close() throws IOException {
        for (BareConnection kept = idle.poll(); kept != null; kept = idle.poll()) {
            kept.close();
        }
    }
}
