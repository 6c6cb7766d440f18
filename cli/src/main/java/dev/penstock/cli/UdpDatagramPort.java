package dev.penstock.cli;

import dev.penstock.lab.datagram.DatagramPort;
import dev.penstock.udp.socket.DatagramSender;
import java.io.IOException;
import java.util.OptionalLong;

/**
 * Adapts a datagram sender to the lab, which does not depend on transports.
 *
 * @param datagramSender sends and receives
 */
public record UdpDatagramPort(DatagramSender datagramSender) implements DatagramPort {
    @Override
    public int send(long first, int count) throws IOException {
        return datagramSender.send(first, count);
    }

    @Override
    public int receive(Taker taker) throws IOException {
        return datagramSender.receive(taker::answer);
    }

    @Override
    public void await(long nanos) throws IOException {
        datagramSender.await(nanos);
    }

    @Override
    public OptionalLong dropped() {
        return datagramSender.dropped();
    }

    @Override
    public void close() {
        datagramSender.close();
    }
}
