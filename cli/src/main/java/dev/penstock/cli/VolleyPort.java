package dev.penstock.cli;

import dev.penstock.lab.datagram.DatagramPort;
import dev.penstock.udp.socket.Volley;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * Lets the lab, which knows no transport, send by way of a volley.
 *
 * @param volley what sends
 */
record VolleyPort(Volley volley) implements DatagramPort {
    @Override
    public int send(long first, int count) throws IOException {
        return volley.send(first, count);
    }

    @Override
    public int receive(Taker taker) throws IOException {
        return volley.receive(taker::answer);
    }

    @Override
    public void await(long nanos) throws IOException {
        volley.await(nanos);
    }

    @Override
    public OptionalLong dropped() {
        return volley.dropped();
    }

    @Override
    public void close() {
        volley.close();
    }
}
