package dev.penstock.races.survive;

import dev.penstock.Accounting;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Ticker;
import dev.penstock.Unknown;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** HTTP clients of a gateway, the gateway in its own process, and the HTTP server behind it. */
final class GatewaySubject implements SystemUnderTest {
    private static final int REQUEST_HEAD = 200;
    private static final int ANSWER_HEAD = 120;
    private static final int OK = 200;
    private static final int CLOCK_RANGE_SECONDS = 7_200;
    private static final long POLL_MS = 20;
    /** How long a client waits while the gateway cannot answer. */
    private static final Duration CLIENT_TIMEOUT = FaultPlan.DEADLINE.plusMillis(500);

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final AtomicInteger OPENED = new AtomicInteger();
    private static final PeerPool<GatewayServer> GATEWAYS = new PeerPool<>(GatewayServer::start);
    private static final PeerPool<RecordingServer> SERVERS =
            new PeerPool<>(() -> RecordingServer.start(RecordingServer.Protocol.HTTP));

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final PeerPool.LeasedPeer<GatewayServer> leased;
    private final GatewayServer gateway;
    private final RecordingServer server;
    private final TcpPath path;
    private final PeerOnPath peer;
    private final String flow;
    private final String padding;
    /**
     * A prefix for each key. The gateway remembers the keys of earlier schedules, including an earlier run of the same
     * one.
     */
    private final String prefix = OPENED.incrementAndGet() + "/";

    private @Nullable StalledUploads uploads;
    /** Whether the gateway is currently unable to answer. */
    private volatile boolean silent;

    private GatewaySubject(
            FaultPlan schedule,
            PeerPool.LeasedPeer<GatewayServer> leased,
            PeerPool.LeasedPeer<RecordingServer> server,
            TcpPath path) {
        this.leased = leased;
        this.gateway = leased.server();
        this.server = server.server();
        this.path = path;
        this.peer = new PeerOnPath(path, server);
        this.flow = schedule.breaker() ? GatewayServer.WITH_BREAKER : GatewayServer.WITHOUT_BREAKER;
        this.padding = " ".repeat(schedule.size());
    }

    static SystemUnderTest open(FaultPlan schedule) throws IOException {
        PeerPool.LeasedPeer<GatewayServer> gateway = GATEWAYS.take();
        PeerPool.LeasedPeer<RecordingServer> server = SERVERS.take();
        server.server().clear();
        InetSocketAddress from =
                new InetSocketAddress(gateway.server().machine().peerAddress(), GatewayServer.PEER_PORT);
        try {
            TcpPath path = new TcpPath(
                    from, server.server().port(), REQUEST_HEAD + schedule.size(), ANSWER_HEAD + schedule.size());
            return new GatewaySubject(schedule, gateway, server, path);
        } catch (IOException e) {
            server.close();
            gateway.close();
            throw e;
        }
    }

    @Override
    public String call(String id) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(gateway.url(flow)))
                .header(HttpSubject.KEY, prefix + id)
                .POST(HttpRequest.BodyPublishers.ofString(padding + prefix + id))
                .build();
        HttpResponse<String> answer = answer(client.sendAsync(request, BodyHandlers.ofString()));
        if (answer.statusCode() == OK) {
            return answer.body().strip().substring(prefix.length());
        }
        String message = answer.statusCode() + " " + answer.body().strip();
        String ending = answer.headers().firstValue("Penstock-Ending").orElse("");
        throw switch (ending) {
            case "none", "rejected" -> new Rejected(Rejected.Cause.LIMIT, message);
            case "failed" -> new Failed(Failed.Cause.REFUSED, message);
            case "unknown" -> new Unknown(Unknown.Cause.TIMEOUT, message);
            default -> new IOException("an answer without the header Penstock-Ending: " + message);
        };
    }

    /** Gives up without an answer as clients do, but only while the gateway cannot answer. Otherwise the call hangs. */
    private HttpResponse<String> answer(CompletableFuture<HttpResponse<String>> sent) throws Exception {
        long begin = Ticker.SYSTEM.nanos();
        while (true) {
            try {
                return sent.get(POLL_MS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException notYet) {
                if (silent && Ticker.SYSTEM.nanos() - begin > CLIENT_TIMEOUT.toNanos()) {
                    sent.cancel(true);
                    throw new Unknown(Unknown.Cause.TIMEOUT, "the client timed out");
                }
            } catch (ExecutionException e) {
                if (e.getCause() instanceof ConnectException unreachable) {
                    throw new Failed(Failed.Cause.CONNECT, "the gateway cannot be reached", unreachable);
                }
                throw new IOException("no answer from the gateway: " + e.getCause(), e);
            }
        }
    }

    @Override
    public void begin(FaultPlan.Step step) throws IOException {
        switch (step.fault()) {
            case GATEWAY_KILLED -> leased.kill();
            case GATEWAY_STOPPED -> {
                silent = true;
                leased.suspend();
            }
            case DISK_FULL -> gateway.machine().fillDisk();
            case NO_DESCRIPTORS -> gateway.takeDescriptors();
            case STALLED_UPLOADS ->
                uploads = StalledUploads.to(gateway.machine().address(), gateway.port(), flow);
            case UNKNOWN_HOST -> {
                gateway.machine().forgetNames();
                if (step.draw() % 2 == 0) {
                    path.resetAll();
                }
            }
            case CLOCK_JUMP -> gateway.machine().moveClock(step.draw() % CLOCK_RANGE_SECONDS - CLOCK_RANGE_SECONDS / 2);
            case PARTITIONED -> {
                silent = true;
                gateway.machine().disconnect();
            }
            default -> peer.begin(step);
        }
    }

    @Override
    public void heal() throws IOException {
        if (uploads != null) {
            uploads.close();
            uploads = null;
        }
        gateway.machine().heal();
        gateway.giveDescriptors();
        leased.heal();
        peer.heal();
        silent = false;
    }

    @Override
    public Map<String, Integer> received() throws IOException {
        path.close();
        Map<String, Integer> received = new HashMap<>();
        server.received().forEach((key, count) -> {
            if (key.startsWith(prefix)) {
                received.put(key.substring(prefix.length()), count);
            }
        });
        return received;
    }

    /**
     * Does not wait: {@link #leaks} has verified that nothing is in flight. The accounting of a killed process is lost.
     */
    @Override
    public @Nullable Accounting drain(Duration atMost) {
        return null;
    }

    @Override
    public List<String> leaks() {
        try {
            Optional<String> whyEnded = gateway.whyEnded();
            if (whyEnded.isPresent()) {
                return List.of(whyEnded.get());
            }
            return leaksOf(JSON.readTree(admin("flows")).path("flows"));
        } catch (IOException | JacksonException e) {
            return List.of("cannot read the state of the gateway: " + e);
        }
    }

    private static List<String> leaksOf(JsonNode flows) {
        List<String> leaks = new ArrayList<>();
        for (JsonNode flow : flows) {
            JsonNode accounting = flow.path("accounting");
            long ended = 0;
            for (String ending : List.of("answered", "rejected", "failed", "unknown")) {
                ended += accounting.path(ending).asLong();
            }
            if (accounting.path("in_flight").asLong() != 0
                    || accounting.path("offered").asLong() != ended) {
                leaks.add("the gateway's accounting does not balance: " + accounting);
            }
            if (flow.path("connections").path("leased").asLong() != 0) {
                leaks.add("connections are still leased: " + flow.path("connections"));
            }
        }
        return leaks;
    }

    private String admin(String page) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(gateway.adminUrl(page)))
                .header("Authorization", "Bearer " + GatewayServer.ADMIN_TOKEN)
                .timeout(Experiment.GRACE)
                .build();
        try {
            return client.send(request, BodyHandlers.ofString()).body();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for the admin page", e);
        }
    }

    @Override
    public void close() {
        peer.close();
        client.shutdownNow();
        if (gateway.exitCode().isEmpty()) {
            leased.close();
        } else {
            leased.discard();
        }
    }
}
