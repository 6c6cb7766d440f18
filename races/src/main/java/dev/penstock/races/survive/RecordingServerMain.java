package dev.penstock.races.survive;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Executors;

/**
 * The process of a {@link RecordingServer}: answers each request with its body, or each datagram with its bytes, once its id is in
 * the file. An id is one write, so it outlives a kill. Ends when its parent is gone.
 */
final class RecordingServerMain {
    private static final int MOST_BYTES = 2_048;

    private final FileChannel file;

    private RecordingServerMain(FileChannel file) {
        this.file = file;
    }

    /**
     * Runs one.
     *
     * @param args protocol, port, file
     */
    public static void main(String[] args) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1]));
        FileChannel file = FileChannel.open(Path.of(args[2]), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        RecordingServerMain server = new RecordingServerMain(file);
        switch (RecordingServer.Protocol.valueOf(args[0])) {
            case HTTP -> server.serveHttp(address);
            case UDP -> server.serveUdp(address);
        }
        System.out.println("serves");
        while (System.in.read() >= 0) {
            // The parent says nothing; its end is the end.
        }
        Runtime.getRuntime().halt(0);
    }

    private void serveHttp(InetSocketAddress address) throws IOException {
        HttpServer server = HttpServer.create(address, 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            if (!String.valueOf(body.length).equals(exchange.getRequestHeaders().getFirst("Content-Length"))) {
                return; // Only a part of it came.
            }
            write(exchange.getRequestHeaders().getFirst(HttpSubject.KEY));
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private void serveUdp(InetSocketAddress address) throws IOException {
        DatagramSocket socket = new DatagramSocket(address);
        Thread.ofPlatform().name("recording-server").start(() -> {
            while (true) {
                try {
                    DatagramPacket packet = new DatagramPacket(new byte[MOST_BYTES], MOST_BYTES);
                    socket.receive(packet);
                    write(UdpSubject.idOf(packet.getData()));
                    socket.send(packet);
                } catch (IOException e) {
                    // The answer could not be sent: it is lost.
                }
            }
        });
    }

    private void write(String id) throws IOException {
        file.write(ByteBuffer.wrap((id + "\n").getBytes(StandardCharsets.UTF_8)));
    }
}
