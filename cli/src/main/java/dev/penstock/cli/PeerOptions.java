package dev.penstock.cli;

import dev.penstock.cli.probe.DirectConnections;
import dev.penstock.cli.probe.HttpPeer;
import dev.penstock.cli.probe.JdbcPeer;
import dev.penstock.cli.probe.JmsPeer;
import dev.penstock.cli.probe.KafkaPeer;
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

/** Options for the requests of a probe, and the peers they create. */
final class PeerOptions {
    private static final String TCP = "tcp://";

    @Option(names = "--method", paramLabel = "M", description = "The HTTP method. Default: GET; POST with a body.")
    private @Nullable String method;

    @Option(
            names = "--body",
            paramLabel = "TEXT",
            description =
                    "The request body, or @FILE for the content of a file (http, jms, kafka). Default: none; for a queue or topic a"
                            + " payment.")
    private @Nullable String body;

    @Option(names = "--header", paramLabel = "LINE", description = "Send this header, NAME: VALUE. Repeatable.")
    private List<String> headers = List.of();

    @Option(
            names = "--batch-url",
            paramLabel = "URL",
            description = "The batch endpoint: measures whether batching pays (http).")
    private @Nullable String batchUrl;

    @Option(
            names = "--batch-format",
            paramLabel = "FORM",
            defaultValue = "json-array",
            description = "The batch format: json-array or json-lines. Default: ${DEFAULT-VALUE}.")
    private String batchFormat = "json-array";

    @Option(
            names = "--statement",
            paramLabel = "SQL",
            defaultValue = "select 1",
            description =
                    "The statement for a database, with :n and :id as in penstock load. Default: ${DEFAULT-VALUE}.")
    private String statement = "select 1";

    @Option(
            names = "--queue",
            paramLabel = "NAME",
            description = "Send to this queue; the messages stay there. Without it, only connections are opened (jms).")
    private @Nullable String queue;

    @Option(names = "--topic", paramLabel = "NAME", description = "Send to this topic; the records stay there (kafka).")
    private @Nullable String topic;

    @Option(
            names = "--batch",
            description = "Measure whether batching pays: rows of a --statement that writes, or messages to a --queue.")
    private boolean batch;

    @Option(
            names = "--send",
            paramLabel = "TEXT",
            description =
                    "Send this to a tcp peer, with \\n and \\r\\n as in Java, and wait for an answer. Without it, silently"
                            + " dropped connections are not detected.")
    private @Nullable String send;

    String batchUrl() {
        return batchUrl == null ? "" : batchUrl;
    }

    /** Whether batching is measured. */
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

    @Nullable
    String topic() {
        return topic;
    }

    boolean sends() {
        return send != null;
    }

    /**
     * Creates the peer of a target.
     *
     * @param connections the maximum number of connections
     * @throws IllegalArgumentException invalid options, with a one-line remedy
     */
    ProbePeer peer(TargetKind kind, String target, int connections, long seed) {
        return switch (kind) {
            case HTTP -> http(target, connections, seed);
            case JDBC -> jdbc(target, seed);
            case JMS -> jms(target.substring(LoadTarget.JMS.length()), target, connections, seed);
            case KAFKA -> kafka(target, seed);
            case TCP -> tcp(target);
            case UDP -> throw new IllegalArgumentException("UDP has no connections");
        };
    }

    /** The calls of an http target. */
    LongFunction<HttpCall> calls(long seed) {
        return CallMaker.of(method == null && body == null ? "GET" : method, CallMaker.ROOT, body, headers, seed);
    }

    private ProbePeer http(String target, int connections, long seed) {
        LongFunction<HttpCall> calls = calls(seed);
        LoadTarget<HttpCall, HttpAnswer> loadTarget = LoadTarget.ofHttp(HttpPeer.target(target, connections), calls);
        HttpBatch batches = null;
        if (batchUrl != null) {
            batches = HttpBatch.over(HttpTarget.of(batchUrl), batchFormat());
            if (!batches.fits(calls.apply(0))) {
                throw new IllegalArgumentException(
                        "--batch-url needs a --body that is a JSON value, and no Idempotency-Key header");
            }
        }
        return new HttpPeer(target, loadTarget, calls, batches);
    }

    private JsonBatch batchFormat() {
        return switch (batchFormat) {
            case "json-array" -> JsonBatch.array();
            case "json-lines" -> JsonBatch.lines();
            default ->
                throw new IllegalArgumentException(
                        "\"" + batchFormat + "\" is not a --batch-format: write json-array or json-lines");
        };
    }

    private ProbePeer jdbc(String target, long seed) {
        String where = LoadTarget.withoutSecrets(target);
        DirectConnections connections = DirectConnections.to(target, where);
        LoadTarget<JdbcRequest, JdbcAnswer> loadTarget =
                LoadTarget.ofJdbc(connections.source(), where, statement, seed);
        try {
            JdbcBatch batches = batch && loadTarget.target() instanceof JdbcTarget jdbc ? JdbcBatch.over(jdbc) : null;
            return new JdbcPeer(target, where, loadTarget, loadTarget.requests(), batches, connections);
        } catch (IllegalArgumentException e) {
            loadTarget.close();
            throw e;
        }
    }

    private ProbePeer jms(String url, String target, int connections, long seed) {
        LongFunction<JmsMessage> messages = CallMaker.messages(body, seed);
        if (queue == null) {
            if (batch || body != null) {
                throw new IllegalArgumentException(
                        "without --queue nothing is sent: add it, or remove " + (batch ? "--batch" : "--body"));
            }
            return new JmsPeer(url, null, messages, null);
        }
        LoadTarget<JmsMessage, JmsReceipt> loadTarget = LoadTarget.ofJms(target, queue, messages, connections);
        JmsBatch batches = batch && loadTarget.target() instanceof JmsTarget jms ? JmsBatch.over(jms) : null;
        return new JmsPeer(url, loadTarget, messages, batches);
    }

    private ProbePeer kafka(String target, long seed) {
        if (topic == null) {
            throw new IllegalArgumentException("missing --topic: add for instance --topic probe");
        }
        return new KafkaPeer(
                LoadTarget.cluster(target), topic, LoadTarget.ofKafka(target, topic, CallMaker.records(body, seed)));
    }

    private ProbePeer tcp(String target) {
        HostAndPort at = HostAndPort.parse(
                target.substring(TCP.length()).replaceFirst("/$", ""),
                "not a tcp target: write tcp://HOST:PORT, for instance tcp://127.0.0.1:5432");
        if (at.port() < 1 || at.port() > 65_535) {
            throw new IllegalArgumentException("the port must be 1 to 65535, not " + at.port());
        }
        return new TcpPeer(at.host(), at.port(), send);
    }
}
