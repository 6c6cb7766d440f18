package dev.penstock.cli;

import dev.penstock.cli.probe.HttpPeer;
import dev.penstock.cli.probe.JdbcPeer;
import dev.penstock.cli.probe.JmsPeer;
import dev.penstock.cli.probe.TcpPeer;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.HttpTarget;
import dev.penstock.http.batch.HttpBatch;
import dev.penstock.http.batch.JsonBatch;
import dev.penstock.jdbc.JdbcAnswer;
import dev.penstock.jdbc.JdbcBatch;
import dev.penstock.jdbc.JdbcRequest;
import dev.penstock.jdbc.JdbcTarget;
import dev.penstock.jms.JmsBatch;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsReceipt;
import dev.penstock.jms.JmsTarget;
import dev.penstock.lab.probe.ProbePeer;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say what to ask a peer, and the peers themselves. */
final class PeerOptions {
    private static final String TCP = "tcp://";

    @Option(names = "--method", paramLabel = "M", description = "The HTTP method. Default: GET; POST with a body.")
    private @Nullable String method;

    @Option(
            names = "--body",
            paramLabel = "TEXT",
            description =
                    "Send this text each time, or @FILE for a file (http, jms). Default: none; to a queue a payment.")
    private @Nullable String body;

    @Option(names = "--header", paramLabel = "LINE", description = "Send this header too, NAME: VALUE. Repeatable.")
    private List<String> headers = List.of();

    @Option(
            names = "--batch-url",
            paramLabel = "URL",
            description = "Where many requests go as one: tells whether that pays (http).")
    private @Nullable String batchUrl;

    @Option(
            names = "--batch-format",
            paramLabel = "FORM",
            defaultValue = "json-array",
            description = "How they are written there: json-array or json-lines. Default: ${DEFAULT-VALUE}.")
    private String batchFormat = "json-array";

    @Option(
            names = "--statement",
            paramLabel = "SQL",
            defaultValue = "select 1",
            description =
                    "What to run at a database, with :n and :id as penstock load has them. Default: ${DEFAULT-VALUE}.")
    private String statement = "select 1";

    @Option(
            names = "--queue",
            paramLabel = "NAME",
            description =
                    "Send to this queue; the messages stay there. Without it, connections are opened and no more (jms).")
    private @Nullable String queue;

    @Option(
            names = "--batch",
            description = "Tell whether many at once pay: rows of a --statement that writes, or messages to a --queue.")
    private boolean batch;

    @Option(
            names = "--send",
            paramLabel = "TEXT",
            description =
                    "Send this to a tcp peer, \\n and \\r\\n as in Java, and wait for an answer: without it, connections"
                            + " that are killed silently cannot be told.")
    private @Nullable String send;

    /** Options not given yet; picocli fills them in. */
    PeerOptions() {}

    String batchUrl() {
        return batchUrl == null ? "" : batchUrl;
    }

    /** Whether many items are sent as one. */
    boolean batches() {
        return batch || batchUrl != null;
    }

    String statement() {
        return statement;
    }

    @Nullable
    String queue() {
        return queue;
    }

    boolean sends() {
        return send != null;
    }

    /**
     * The peer at a target.
     *
     * @param connections how many it may have at the most
     * @throws IllegalArgumentException when something cannot be, in one line that says what to write
     */
    ProbePeer peer(ProbeKind kind, String target, int connections, long seed) {
        return switch (kind) {
            case HTTP -> http(target, connections, seed);
            case JDBC -> jdbc(target, connections, seed);
            case JMS -> jms(target.substring(LoadTarget.JMS.length()), target, connections, seed);
            case TCP -> tcp(target);
            case UDP -> throw new IllegalArgumentException("datagrams have no connections");
        };
    }

    private ProbePeer http(String target, int connections, long seed) {
        LongFunction<HttpCall> calls =
                CallMaker.of(method == null && body == null ? "GET" : method, body, headers, seed);
        LoadTarget<HttpCall, HttpAnswer> subject = LoadTarget.ofHttp(HttpPeer.target(target, connections), calls);
        HttpBatch batches = null;
        if (batchUrl != null) {
            batches = HttpBatch.over(HttpTarget.of(batchUrl), batchFormat());
            if (!batches.fits(calls.apply(0))) {
                throw new IllegalArgumentException(
                        "--batch-url needs a --body that can stand in a batch: one JSON value, without an Idempotency-Key");
            }
        }
        return new HttpPeer(target, subject, calls, batches);
    }

    private JsonBatch batchFormat() {
        return switch (batchFormat) {
            case "json-array" -> JsonBatch.array();
            case "json-lines" -> JsonBatch.lines();
            default ->
                throw new IllegalArgumentException(
                        "\"" + batchFormat + "\" is no --batch-format: write json-array or json-lines");
        };
    }

    private ProbePeer jdbc(String target, int connections, long seed) {
        LoadTarget<JdbcRequest, JdbcAnswer> subject = LoadTarget.ofJdbc(target, statement, seed, connections);
        try {
            JdbcBatch batches = batch && subject.target() instanceof JdbcTarget jdbc ? JdbcBatch.over(jdbc) : null;
            return new JdbcPeer(target, LoadTarget.withoutSecrets(target), subject, subject.requests(), batches);
        } catch (IllegalArgumentException e) {
            subject.close();
            throw e;
        }
    }

    private ProbePeer jms(String url, String target, int connections, long seed) {
        LongFunction<JmsMessage> messages = CallMaker.messages(body, seed);
        if (queue == null) {
            if (batch || body != null) {
                throw new IllegalArgumentException(
                        "without --queue nothing is sent: name one, or leave out " + (batch ? "--batch" : "--body"));
            }
            return new JmsPeer(url, null, messages, null);
        }
        LoadTarget<JmsMessage, JmsReceipt> subject = LoadTarget.ofJms(target, queue, messages, connections);
        JmsBatch batches = batch && subject.target() instanceof JmsTarget jms ? JmsBatch.over(jms) : null;
        return new JmsPeer(url, subject, messages, batches);
    }

    private ProbePeer tcp(String target) {
        HostAndPort at = HostAndPort.parse(
                target.substring(TCP.length()).replaceFirst("/$", ""),
                "no tcp target: write tcp://HOST:PORT, for instance tcp://127.0.0.1:5432");
        if (at.port() < 1 || at.port() > 65_535) {
            throw new IllegalArgumentException("the port is 1 to 65535, not " + at.port());
        }
        return new TcpPeer(at.host(), at.port(), send);
    }
}
