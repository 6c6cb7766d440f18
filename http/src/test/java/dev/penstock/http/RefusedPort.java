package dev.penstock.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port on loopback that refuses connections. It is bound, so that nobody else can get it, but nobody listens on it. */
public final class RefusedPort implements AutoCloseable {
    private final Socket bound = new Socket();

    public RefusedPort() throws IOException {
        bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    public int number() {
        return bound.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        bound.close();
    }
}
