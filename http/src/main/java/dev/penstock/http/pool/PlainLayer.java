package dev.penstock.http.pool;

import java.io.IOException;
import java.nio.ByteBuffer;

/** TCP as it is. */
record PlainLayer(Wire wire) implements Layer {
    @Override
    public boolean await() throws IOException {
        return wire.awaitBytes();
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        return wire.receive(into, from, most);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        wire.send(ByteBuffer.wrap(bytes, from, length));
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
