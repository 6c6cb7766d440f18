package dev.penstock.http.pool;

import java.io.IOException;
import java.nio.ByteBuffer;

/** TCP without TLS. */
record PlainTransport(SocketTransport socketTransport) implements TransportLayer {
    @Override
    public boolean awaitData() throws IOException {
        return socketTransport.awaitBytes();
    }

    @Override
    public int read(byte[] into, int from, int max) throws IOException {
        return socketTransport.receive(into, from, max);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        socketTransport.send(ByteBuffer.wrap(bytes, from, length));
    }

    @Override
    public Liveness receivedWhileIdle(ByteBuffer bytes) {
        return Liveness.UNEXPECTED_DATA;
    }

    @Override
    public Liveness becomeIdle() {
        return Liveness.ALIVE;
    }
}
