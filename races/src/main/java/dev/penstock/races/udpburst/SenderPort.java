package dev.penstock.races.udpburst;

import dev.penstock.lab.datagram.DatagramPort;
import dev.penstock.udp.socket.DatagramSender;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.OptionalLong;

/** Adapts a {@link DatagramSender} to the lab's {@link DatagramPort}. */
record SenderPort(DatagramSender datagramSender) implements DatagramPort {
    /** Opens a port to a server. Answers are verified. */
    static SenderPort to(InetSocketAddress server) throws IOException {
        return new SenderPort(DatagramSender.to(server)
                .size(UdpBurstTraffic.SIZE)
                .replaced(UdpBurstTraffic.find(), UdpBurstTraffic.with())
                .open());
    }

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
