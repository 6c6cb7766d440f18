package dev.penstock.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A server that does what a script says with each connection, byte by byte, so that it can misbehave in any way. */
public final class RawPeer implements AutoCloseable {
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)");

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ServerSocket listening;
    private final Thread acceptor;
    private final List<Talk> talks = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    public interface Script {
        void serve(Talk talk) throws Exception;
    }

    private RawPeer(ServerSocket listening, Script script) {
        this.listening = listening;
        this.acceptor = Thread.ofVirtual().unstarted(() -> accept(script));
    }

    public static RawPeer start(Script script) throws IOException {
        return start(0, script);
    }

    /** On a port, such as one on which another peer was before. */
    public static RawPeer start(int port, Script script) throws IOException {
        RawPeer peer = new RawPeer(new ServerSocket(port, 50, InetAddress.getLoopbackAddress()), script);
        peer.acceptor.start();
        return peer;
    }

    /** Answers every request on every connection in the same way. */
    public static RawPeer answering(String answer) throws IOException {
        return start(talk -> {
            while (talk.request() != null) {
                talk.send(answer);
            }
        });
    }

    private void accept(Script script) {
        try {
            while (true) {
                Talk talk = new Talk(listening.accept());
                talks.add(talk);
                Thread.ofVirtual().start(() -> talk.run(script));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    public String url(String path) {
        return "http://127.0.0.1:" + listening.getLocalPort() + path;
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Every request that was read whole, head and body, over all connections. */
    public List<String> requests() {
        return requests;
    }

    /** The connection of that number, from 0. */
    Talk talk(int number) {
        return talks.get(number);
    }

    public int connections() {
        return talks.size();
    }

    /** Nobody is accepted any more when it returns: until its accept has ended, a closed socket may still take one. */
    @Override
    public void close() throws IOException {
        listening.close();
        try {
            acceptor.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Talk talk : talks) {
            talk.close();
        }
    }

    /** One connection. */
    public final class Talk {
        private volatile Socket socket;
        /** A socket that somebody reads is closed, and its FIN or RST sent, when the reader has left. */
        private volatile @Nullable Thread server;

        private final CountDownLatch served = new CountDownLatch(1);

        private Talk(Socket socket) {
            this.socket = socket;
        }

        private void run(Script script) {
            server = Thread.currentThread();
            try {
                script.serve(this);
            } catch (Exception e) {
                // The other side, or the test, closed it.
            } finally {
                close();
                served.countDown();
            }
        }

        /** Reads a whole request; null at the end of the stream. */
        @Nullable
        public String request() throws IOException {
            String message = read(socket.getInputStream());
            if (message != null) {
                requests.add(message);
            }
            return message;
        }

        /** Speaks TLS from now on, as a server. */
        void secure(SSLContext context, boolean wantsClient) throws IOException {
            secure(context, wantsClient, "TLSv1.2", "TLSv1.3");
        }

        /** The same in one of these versions. */
        void secure(SSLContext context, boolean wantsClient, String... protocols) throws IOException {
            SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(socket, null, true);
            tls.setNeedClientAuth(wantsClient);
            tls.setEnabledProtocols(protocols);
            socket = tls;
            tls.startHandshake();
        }

        /** Sends a fatal alert of any number. The JDK chooses the number itself, so this takes what it writes alerts with. */
        void alert(int number) throws Exception {
            Object connection = inside(socket, "conContext");
            Object records = inside(connection, "outputRecord");
            Method encode = Class.forName("sun.security.ssl.OutputRecord")
                    .getDeclaredMethod("encodeAlert", byte.class, byte.class);
            encode.setAccessible(true);
            encode.invoke(records, (byte) 2, (byte) number);
        }

        private static Object inside(Object owner, String field) throws Exception {
            Field found = owner.getClass().getDeclaredField(field);
            found.setAccessible(true);
            return found.get(owner);
        }

        /** Whom the handshake has shown. */
        String client() throws IOException {
            return ((SSLSocket) socket).getSession().getPeerPrincipal().getName();
        }

        /** Reads a head and leaves the body where it is. */
        void requestHead() throws IOException {
            String head = "";
            while (!head.endsWith("\r\n\r\n")) {
                head += (char) socket.getInputStream().read();
            }
        }

        private void close() {
            try {
                socket.close();
            } catch (IOException e) {
                // Nothing is left to close.
            }
        }

        public void send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
        }

        void fin() throws IOException, InterruptedException {
            socket.close();
            awaitEnd();
        }

        void rst() throws IOException, InterruptedException {
            socket.setSoLinger(true, 0);
            socket.close();
            awaitEnd();
        }

        private void awaitEnd() throws InterruptedException {
            if (Thread.currentThread() != server) {
                served.await();
            }
        }
    }

    /** Reads a head and as many bytes of a body as its Content-Length says; null at the end of the stream. */
    public static @Nullable String read(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (!bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                return null;
            }
            bytes.write(next);
        }
        Matcher length = LENGTH.matcher(bytes.toString(StandardCharsets.ISO_8859_1));
        if (length.find()) {
            bytes.write(in.readNBytes(Integer.parseInt(length.group(1))));
        }
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }
}
