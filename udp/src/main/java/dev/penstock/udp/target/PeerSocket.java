package dev.penstock.udp.target;

import dev.penstock.Ticker;
import dev.penstock.supervise.Part;
import dev.penstock.udp.socket.KernelMemory;
import dev.penstock.udp.socket.OwnSockets;
import dev.penstock.udp.socket.UdpSocket;
import dev.penstock.udp.target.UdpTarget.DatagramCounter;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The open socket of a target: one thread sends at a time, and one thread receives. */
final class PeerSocket {
    /** The maximum number of answers that the receive buffer is sized for, since answers are drained as they arrive. */
    private static final int MAX_BUFFERED = 4_096;

    private static final long JOIN_TIMEOUT_MS = 2_000;

    private final UdpSocket socket;
    private final SendQueue sendQueue;
    private final AnswerReceiver answers;
    private final Thread reader;
    private volatile boolean isOwn;

    private PeerSocket(UdpSocket socket, SendQueue sendQueue, AnswerReceiver answers) {
        this.socket = socket;
        this.sendQueue = sendQueue;
        this.answers = answers;
        this.reader = Thread.ofPlatform()
                .name("penstock-udp-answers-" + sendQueue.peer().getPort())
                .daemon()
                .unstarted(answers);
    }

    /**
     * Opens a socket.
     *
     * @param own whether sources of this process drop datagrams from it
     * @param part records a failure of the receiving thread
     * @throws IOException the socket cannot be opened
     */
    static PeerSocket open(
            InetSocketAddress peer,
            RequestIds ids,
            int maxSize,
            PendingCalls waiting,
            DatagramCounter counter,
            boolean plain,
            boolean own,
            Ticker ticker,
            Part part)
            throws IOException {
        InetSocketAddress any = new InetSocketAddress(anyOf(peer), 0);
        UdpSocket socket = plain ? UdpSocket.bindChannel(any, false) : UdpSocket.bind(any, false);
        try {
            long room = KernelMemory.forDatagrams(Math.min(waiting.most(), MAX_BUFFERED), maxSize);
            if (socket.receiveBuffer() < room) {
                socket.receiveBuffer(room);
            }
            PeerSocket peerSocket = new PeerSocket(
                    socket,
                    new SendQueue(socket, peer, maxSize, ticker),
                    new AnswerReceiver(socket, peer, ids, maxSize, waiting, counter, ticker, part));
            if (own) {
                OwnSockets.ofProcess().add(socket.local());
                peerSocket.isOwn = true;
            }
            peerSocket.reader.start();
            return peerSocket;
        } catch (Throwable failed) {
            // Not enough memory for the batches, or no thread: close the socket, since nothing else refers to it.
            socket.close();
            throw failed;
        }
    }

    /** The wildcard address of the peer's address family. */
    private static InetAddress anyOf(InetSocketAddress peer) {
        return InetAddress.ofLiteral(peer.getAddress() instanceof Inet4Address ? "0.0.0.0" : "::");
    }

    /** Whether the receiving thread runs; it ends only when the socket is broken or closed. */
    boolean isReading() {
        return reader.isAlive();
    }

    void send(DatagramCall call) {
        sendQueue.send(call);
    }

    /** Sends queued calls that did not fit into the send buffer before. */
    void sendQueued() {
        sendQueue.sendQueued();
    }

    /** The size of the receive buffer, in bytes of kernel memory. */
    long receiveBuffer() {
        return socket.receiveBuffer();
    }

    /** Stops sending and receiving, then closes the socket. */
    void close() {
        sendQueue.close();
        answers.close();
        if (awaitReader()) {
            socket.close();
            if (isOwn) {
                isOwn = false;
                OwnSockets.ofProcess().remove(socket.local());
            }
        }
    }

    /** Waits for the reader despite interrupts; the socket must not be closed before it has ended. */
    private boolean awaitReader() {
        boolean interrupted = Thread.interrupted();
        try {
            reader.join(JOIN_TIMEOUT_MS);
        } catch (InterruptedException again) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return !reader.isAlive();
    }
}
