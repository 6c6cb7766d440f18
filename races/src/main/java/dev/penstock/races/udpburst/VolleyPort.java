package dev.penstock.races.udpburst;

import dev.penstock.lab.datagram.DatagramPort;
import dev.penstock.udp.socket.Volley;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.OptionalLong;

/** A {@link Volley} as the lab wants it. */
record VolleyPort(Volley volley) implements DatagramPort {
    /** To this server, and its answers looked at. */
    static VolleyPort to(InetSocketAddress server) throws IOException {
        return new VolleyPort(Volley.to(server)
                .size(Traffic.SIZE)
                .replaced(Traffic.find(), Traffic.with())
                .open());
    }

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
