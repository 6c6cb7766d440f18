package dev.penstock.udp.target;

import dev.penstock.Ticker;
import dev.penstock.supervise.Part;
import dev.penstock.udp.socket.KernelMemory;
import dev.penstock.udp.socket.OwnSockets;
import dev.penstock.udp.socket.UdpSocket;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** The socket of a target while it is open: one who sends at a time, and one thread that receives. */
final class PeerSocket {
    /** The most answers that the receive buffer is made for: they are drained as fast as they come. */
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
     * A socket to talk with a peer.
     *
     * @param own whether sources of this process drop what is from it
     * @param part told when answers cannot be received any more
     * @throws IOException there can be none
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
            // Too little memory for the batches, or no thread: nobody else knows this socket.
            socket.close();
            throw failed;
        }
    }

    /** The socket is of the family of its peer. */
    private static InetAddress anyOf(InetSocketAddress peer) {
        return InetAddress.ofLiteral(peer.getAddress() instanceof Inet4Address ? "0.0.0.0" : "::");
    }

    /** Whether answers are still received; it can only end by a socket that does not work any more. */
    boolean isReading() {
        return reader.isAlive();
    }

    void send(DatagramCall call) {
        sendQueue.send(call);
    }

    /** Sends what found no room before. */
    void sendQueued() {
        sendQueue.sendQueued();
    }

    /** How many bytes of the kernel's memory answers may fill. */
    long receiveBuffer() {
        return socket.receiveBuffer();
    }

    /** Closes the socket once nobody uses it any more. */
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

    /** Waits for the reader whoever interrupts that: its socket may not be closed before it has ended. */
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
