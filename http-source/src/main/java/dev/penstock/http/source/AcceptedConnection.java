package dev.penstock.http.source;

import io.helidon.common.buffers.DataReader;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.NioSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.common.socket.SocketWriter;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.Router;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ExecutorService;

/**
 * An accepted connection as a Helidon context.
 *
 * @param channel the socket
 * @param serverSocket the same for Helidon
 * @param dataWriter writes to the socket
 * @param listenerContext the settings of Helidon
 * @param router handles requests
 */
record AcceptedConnection(
        SocketChannel channel,
        HelidonSocket serverSocket,
        SocketWriter dataWriter,
        ListenerContext listenerContext,
        Router router)
        implements ConnectionContext, AutoCloseable {
    static AcceptedConnection of(SocketChannel channel, ListenerContext context, Router router) {
        String id = "0x" + Integer.toHexString(System.identityHashCode(channel));
        HelidonSocket socket = NioSocket.server(channel, id, "penstock");
        SocketWriter writer = SocketWriter.create(
                context.executor(),
                socket,
                context.config().writeQueueLength(),
                context.config().smartAsyncWrites());
        return new AcceptedConnection(channel, socket, writer, context, router);
    }

    /** Whether the client has sent bytes that were not read yet. */
    boolean hasUnread() {
        try {
            return channel.socket().getInputStream().available() > 0;
        } catch (IOException closed) {
            return false;
        }
    }

    /** Unsupported: {@link TimedConnection} reads the socket itself. */
    @Override
    public DataReader dataReader() {
        throw new UnsupportedOperationException("only TimedConnection reads the socket");
    }

    @Override
    public ExecutorService executor() {
        return listenerContext.executor();
    }

    @Override
    public PeerInfo remotePeer() {
        return serverSocket.remotePeer();
    }

    @Override
    public PeerInfo localPeer() {
        return serverSocket.localPeer();
    }

    @Override
    public boolean isSecure() {
        return serverSocket.isSecure();
    }

    @Override
    public String socketId() {
        return serverSocket.socketId();
    }

    @Override
    public String childSocketId() {
        return serverSocket.childSocketId();
    }

    @Override
    public void close() {
        dataWriter.close();
        serverSocket.close();
    }
}
