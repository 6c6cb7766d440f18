package dev.penstock.http.pool;

import java.io.IOException;
import java.nio.ByteBuffer;

/** TCP as it is. */
record PlainTransport(SocketTransport socketTransport) implements TransportLayer {
    @Override
    public boolean await() throws IOException {
        return socketTransport.awaitBytes();
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        return socketTransport.receive(into, from, most);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        socketTransport.send(ByteBuffer.wrap(bytes, from, length));
    }

    @Override
    public Liveness cameIdle(ByteBuffer bytes) {
        return Liveness.TALKED;
    }

    @Override
    public Liveness rest() {
        return Liveness.QUIET;
    }
}
