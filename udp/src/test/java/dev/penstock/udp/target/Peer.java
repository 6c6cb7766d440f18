package dev.penstock.udp.target;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A peer on loopback, driven step by step by a test, or answering on its own thread. */
final class Peer implements AutoCloseable {
    private final DatagramSocket socket;

    Peer() throws IOException {
        this("127.0.0.1");
    }

    Peer(String address) throws IOException {
        socket = new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral(address), 0));
        socket.setSoTimeout(60_000);
    }

    int port() {
        return socket.getLocalPort();
    }

    /** The next datagram; fails when none arrives. */
    DatagramPacket next() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
        socket.receive(packet);
        return packet;
    }

    static String text(DatagramPacket packet) {
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.ISO_8859_1);
    }

    void answer(DatagramPacket to, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        socket.send(new DatagramPacket(bytes, bytes.length, to.getSocketAddress()));
    }

    /** Echoes the next datagrams. */
    void echo(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            DatagramPacket came = next();
            socket.send(new DatagramPacket(
                    Arrays.copyOf(came.getData(), came.getLength()), came.getLength(), came.getSocketAddress()));
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
