package dev.penstock.cli.probe;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.batch.HttpBatch;
import dev.penstock.http.http1.AnswerHead;
import dev.penstock.http.http1.AnswerReader;
import dev.penstock.http.http1.MalformedAnswer;
import dev.penstock.http.http1.RequestWriter;
import dev.penstock.lab.load.Load;
import dev.penstock.lab.measure.LoadResult;
import dev.penstock.lab.probe.AnnouncedLimit;
import dev.penstock.lab.probe.IdleConnection;
import dev.penstock.lab.probe.ProbePeer;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** An HTTP server. Load uses an {@code HttpTarget}; idle connections are plain sockets. */
public final class HttpPeer implements ProbePeer {
    private static final int MAX_ITEMS = 500;
    private static final int MAX_ANSWER = 64 << 20;

    /** Longer than the time between calls, and shorter than any idle kill time. */
    private static final Duration IDLE = Duration.ofSeconds(1);

    private final URI url;
    private final LoadSender loader;
    private final LongFunction<HttpCall> calls;
    private final @Nullable HttpBatch batches;
    private final SocketConnector connector;
    private final AtomicLong sent = new AtomicLong();

    /**
     * Creates a peer.
     *
     * @param url a valid URL
     * @param loader sends calls; closed with this
     * @param calls creates a call from its number
     * @param batches sends batches; null for none; closed with this
     */
    public HttpPeer(String url, LoadSender loader, LongFunction<HttpCall> calls, @Nullable HttpBatch batches) {
        this.url = URI.create(url);
        this.loader = loader;
        this.calls = calls;
        this.batches = batches;
        boolean secure = "https".equalsIgnoreCase(this.url.getScheme());
        int port = this.url.getPort() > 0 ? this.url.getPort() : secure ? 443 : 80;
        this.connector = new SocketConnector(this.url.getHost().replaceAll("[\\[\\]]", ""), port, secure);
    }

    /**
     * Creates the target for the calls of a probe. Idle connections are closed early: those of a level with higher
     * concurrency may have been dropped silently, which would be measured as a slow peer.
     *
     * @param url the URL of the server
     * @param connections the maximum number of connections
     */
    public static HttpTarget target(String url, int connections) {
        return HttpTarget.at(url).poolMax(connections).idle(IDLE).build();
    }

    @Override
    public String where() {
        return url.getScheme() + "://" + url.getRawAuthority().replaceFirst(".*@", "") + url.getRawPath();
    }

    @Override
    public LoadResult run(Load<?> load) throws InterruptedException {
        return loader.run(load);
    }

    @Override
    public List<AnnouncedLimit> announced() throws IOException {
        try (Socket socket = connector.open()) {
            return HttpServerLimits.of(exchange(socket));
        }
    }

    @Override
    public IdleConnection.Port idle() {
        return this::open;
    }

    /**
     * Sends a request over a plain socket, because the pool of a target would maintain its connections, and reads the whole
     * answer.
     *
     * @return the head, with all connection fields, which an {@code HttpTarget} does not expose
     */
    private AnswerHead exchange(Socket socket) throws IOException {
        HttpCall call = calls.apply(sent.getAndIncrement());
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        String target = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
        new RequestWriter(new RequestWriter.Form("", "Host: " + url.getRawAuthority() + "\r\n"))
                .write(call.method(), target, call.headers(), call.body(), 0, socket.getOutputStream());
        AnswerReader answer = new AnswerReader();
        try {
            AnswerHead head = answer.head(socket.getInputStream());
            while (head.isInterim()) {
                head = answer.head(socket.getInputStream());
            }
            byte[] _ = answer.body(socket.getInputStream(), head.bodyLength(call.method()), MAX_ANSWER, bytes -> {});
            return head;
        } catch (MalformedAnswer e) {
            throw new ProtocolException("not an HTTP/1.1 server (" + e.getMessage() + "); check the target");
        }
    }

    private IdleConnection open() throws IOException {
        Socket socket = connector.open();
        try {
            if (!exchange(socket).persists()) {
                throw new IOException(connector
                        + " closes each connection after its answer, so none is ever idle; check what causes that");
            }
            return new SocketConnection(socket, this::exchange);
        } catch (IOException e) {
            SocketClose.reset(socket);
            throw e;
        }
    }

    @Override
    public ProbePeer.@Nullable Batches batch() {
        return batches == null
                ? null
                : new TimedBatches<>(batches, MAX_ITEMS, () -> calls.apply(sent.getAndIncrement()), HttpPeer::check);
    }

    private static void check(HttpAnswer answer) throws IOException {
        if (answer.status() / 100 != 2) {
            throw new IOException("an item of a batch was answered with status " + answer.status());
        }
    }

    @Override
    public void close() {
        loader.close();
        if (batches != null) {
            batches.close();
        }
    }
}
