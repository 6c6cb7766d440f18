package dev.penstock.http.pool;

import java.io.IOException;
import java.nio.ByteBuffer;

/** TCP as it is. */
record PlainLayer(Connection connection) implements Layer {
    @Override
    public boolean await() throws IOException {
        return connection.awaitBytes();
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        return connection.receive(into, from, most);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        connection.send(ByteBuffer.wrap(bytes, from, length));
    }

    @Override
    public Look cameIdle(ByteBuffer bytes) {
        return Look.TALKED;
    }

    @Override
    public Look rest() {
        return Look.QUIET;
    }
}
