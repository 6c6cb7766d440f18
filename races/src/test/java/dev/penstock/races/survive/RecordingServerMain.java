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
 * The process of a {@link RecordingServer}. It writes the id of each request or datagram to the file, then echoes the
 * body. An id is written with one system call, so it survives a kill. The process exits when its parent does.
 */
final class RecordingServerMain {
    private static final int MAX_BYTES = 2_048;

    private final FileChannel file;

    private RecordingServerMain(FileChannel file) {
        this.file = file;
    }

    /**
     * Runs the server.
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
            // The parent writes nothing; end of file means that it has exited.
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
                return; // only a part of the body arrived
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
                    DatagramPacket packet = new DatagramPacket(new byte[MAX_BYTES], MAX_BYTES);
                    socket.receive(packet);
                    write(UdpSubject.idOf(packet.getData()));
                    socket.send(packet);
                } catch (IOException e) {
                    // The answer could not be sent and is lost.
                }
            }
        });
    }

    private void write(String id) throws IOException {
        file.write(ByteBuffer.wrap((id + "\n").getBytes(StandardCharsets.UTF_8)));
    }
}
