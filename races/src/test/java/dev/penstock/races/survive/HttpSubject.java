package dev.penstock.races.survive;

import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import java.io.IOException;
import java.util.Map;

/** A flow to an HTTP server, the JDK's. The server records each request as soon as it has read the whole body. */
final class HttpSubject extends FlowUnderTest {
    /** The header that carries the id of a transaction. */
    static final String KEY = "Idempotency-Key";

    private static final int REQUEST_HEAD = 200;
    private static final int ANSWER_HEAD = 120;
    private static final PeerPool<RecordingServer> SERVERS =
            new PeerPool<>(() -> RecordingServer.start(RecordingServer.Protocol.HTTP));

    private final RecordingServer server;

    private HttpSubject(
            PeerPool.LeasedPeer<RecordingServer> peer, EmbeddedFlow<HttpCall, HttpAnswer> flow, TcpPath path) {
        super(flow, path, peer);
        this.server = peer.server();
    }

    static SystemUnderTest open(FaultPlan schedule) throws IOException {
        PeerPool.LeasedPeer<RecordingServer> peer = SERVERS.take();
        peer.server().clear();
        TcpPath path = new TcpPath(peer.server().port(), REQUEST_HEAD + schedule.size(), ANSWER_HEAD + schedule.size());
        String padding = " ".repeat(schedule.size());
        EmbeddedFlow.Shape<HttpCall, HttpAnswer> shape = new EmbeddedFlow.Shape<>(
                HttpAnswer.class,
                id -> HttpCall.post("/", padding + id).withHeader(KEY, id),
                call -> String.valueOf(call.key(KEY)),
                answer -> answer.text().strip(),
                id -> HttpAnswer.of(200, id));
        HttpTarget target = HttpTarget.of("http://127.0.0.1:" + path.port());
        return new HttpSubject(peer, new EmbeddedFlow<>(schedule, shape, target), path);
    }

    @Override
    public Map<String, Integer> received() throws IOException {
        closeFlow();
        return server.received();
    }
}
