package dev.penstock.gateway.admin;

import dev.penstock.Ticker;
import dev.penstock.gateway.admin.AdminAccess.Role;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.config.ListenerTls;
import dev.penstock.gateway.file.FlowSchema;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Header;
import dev.penstock.http.source.PageClient;
import dev.penstock.http.source.PageServer;
import dev.penstock.http.tls.TlsMaterial;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves the dashboard, health, metrics and settings of a gateway, and pins settings, for authorised callers.
 * Thread-safe.
 *
 * <p>{@code /health} is 200 while the gateway runs and 503 while it drains. {@code /ready} is 200 only between start
 * and drain, while every source is connected and every part runs; otherwise it is 503 with the reasons. The body of
 * {@code /health} lists unreachable sources, targets and stores; its status stays 200, because a restart would not
 * help. Use {@code /ready} for load balancers and {@code /health} for process supervisors.
 */
public final class AdminServer implements AutoCloseable {
    private static final int MAX_BODY = 4_096;
    private static final String JSON = "application/json";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
    static final Header NO_STORE = new Header("Cache-Control", "no-store");
    static final Header NO_SNIFF = new Header("X-Content-Type-Options", "nosniff");

    /** For probes, which have no token. */
    private static final Set<String> OPEN = Set.of("/health", "/ready");

    private final WatchedGateway gateway;
    private final String host;
    private final @Nullable TlsMaterial material;
    private final KnownHosts hosts;
    private final AdminPage page = AdminPage.read();
    private final String schema = FlowSchema.load().json();
    private final Header policy = new Header("Content-Security-Policy", page.policy());
    private final Recorder recorder;
    private final EventStream events;
    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AdminAccess access;
    private final PinHandler pins;
    private final PageServer server;

    private AdminServer(AdminConfig config, WatchedGateway gateway) throws IOException {
        ListenerTls tls = config.tls();
        this.material = tls == null ? null : tls.tls().open();
        this.gateway = gateway;
        this.host = config.host().value();
        int port = config.port().value();
        InetAddress address = checkFree(host, port);
        this.hosts = new KnownHosts(host, address, config.hosts());
        this.recorder = new Recorder(gateway, Ticker.SYSTEM, InstantSource.system());
        this.events = new EventStream(recorder);
        this.access = new AdminAccess(config, Ticker.SYSTEM);
        this.pins = new PinHandler(
                gateway, config.audit() == null ? null : new AuditFile(config.audit(), InstantSource.system()));
        metrics.getPrometheusRegistry().register(new FlowMetrics(gateway));
        new JvmMemoryMetrics().bindTo(metrics);
        new JvmThreadMetrics().bindTo(metrics);
        new ProcessorMetrics().bindTo(metrics);
        server = PageServer.at(new InetSocketAddress(address, port), MAX_BODY, this::handle, material);
    }

    /**
     * Starts the server.
     *
     * @param config where to listen, and who may use it
     * @param gateway the gateway to show
     * @throws IOException it cannot listen, or not write the audit file; the message says what to do
     */
    public static AdminServer start(AdminConfig config, WatchedGateway gateway) throws IOException {
        AdminServer admin = new AdminServer(config, gateway);
        try {
            admin.server.start();
        } catch (IOException portInUse) {
            admin.metrics.close();
            throw new IOException(inUse(admin.host, config.port().value()), portInUse);
        }
        admin.recorder.start();
        return admin;
    }

    /** Checks that the port is free, because the HTTP server would only log a stack trace if it is not. */
    private static InetAddress checkFree(String host, int port) throws IOException {
        try (ServerSocket probe = new ServerSocket()) {
            InetAddress address = InetAddress.getByName(host);
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(address, port));
            return address;
        } catch (UnknownHostException unknown) {
            throw new IOException("unknown host " + host + ": set admin.host to an address of this machine", unknown);
        } catch (IOException portInUse) {
            throw new IOException(inUse(host, port) + " (" + portInUse.getMessage() + ")", portInUse);
        }
    }

    private static String inUse(String host, int port) {
        return "cannot listen on port " + port + " on " + host
                + ": stop the process that uses it, or change admin.host or admin.port";
    }

    private @Nullable HttpAnswer handle(HttpCall request, PageClient client) throws Exception {
        HttpAnswer answer = page(request, client);
        return answer == null ? null : answer.withHeader(NO_STORE).withHeader(NO_SNIFF);
    }

    private @Nullable HttpAnswer page(HttpCall request, PageClient client) throws Exception {
        if (!hosts.isKnown(request.headers().first("Host"))) {
            return plain(403, "the host of this URL is not known here: add it to admin.hosts\n");
        }
        String path = path(request);
        boolean changes = path.startsWith(PinHandler.PATH);
        HttpAnswer refusal =
                OPEN.contains(path) ? null : access.refusal(request, client.peer(), changes ? Role.OPERATE : Role.VIEW);
        if (refusal != null) {
            return refusal;
        }
        return changes ? pins.handle(request, path, access.name(client.peer())) : page(request, path, client);
    }

    private @Nullable HttpAnswer page(HttpCall request, String path, PageClient client) throws Exception {
        return switch (path) {
            case "/" -> answer(request, 200, "text/html; charset=utf-8", page::html);
            case "/health" -> answer(request, gateway.isDraining() ? 503 : 200, JSON, this::health);
            case "/ready" -> ready(request);
            case "/metrics" -> answer(request, 200, PROMETHEUS, () -> metrics.scrape());
            case "/flows" -> answer(request, 200, JSON, () -> AdminJson.flows(gateway));
            case "/settings" -> answer(request, 200, JSON, () -> AdminJson.settings(gateway));
            case "/schema" -> answer(request, 200, JSON, () -> schema);
            case "/events" -> "GET".equals(request.method()) ? events.handle(request, client) : onlyGet();
            default -> plain(404, "not found: see /, /health, /ready, /metrics, /flows, /settings, /schema, /events\n");
        };
    }

    private static String path(HttpCall request) {
        int query = request.path().indexOf('?');
        return query < 0 ? request.path() : request.path().substring(0, query);
    }

    private String health() {
        List<String> unreachable = new ArrayList<>(gateway.outages());
        unreachable.addAll(recorder.unreachable());
        return AdminJson.health(gateway, unreachable);
    }

    private HttpAnswer ready(HttpCall request) {
        boolean runs = gateway.isStarted() && !gateway.isDraining();
        List<String> reasons = new ArrayList<>();
        if (runs) {
            reasons.addAll(gateway.outages());
            reasons.addAll(gateway.supervisor().down());
        }
        boolean ready = runs && reasons.isEmpty();
        return answer(request, ready ? 200 : 503, JSON, () -> AdminJson.ready(ready, gateway, reasons));
    }

    private static HttpAnswer onlyGet() {
        return plain(405, "GET and HEAD only\n").withHeader("Allow", "GET, HEAD");
    }

    /** Load balancers use HEAD for /health and /ready. */
    private HttpAnswer answer(HttpCall request, int status, String type, Supplier<String> body) {
        return "GET".equals(request.method()) || "HEAD".equals(request.method())
                ? HttpAnswer.of(status, body.get()).withHeader(policy).withHeader("Content-Type", type)
                : onlyGet();
    }

    static HttpAnswer plain(int status, String text) {
        return HttpAnswer.of(status, text).withHeader("Content-Type", "text/plain; charset=utf-8");
    }

    /** Its certificates; null without TLS. */
    public @Nullable TlsMaterial tls() {
        return material;
    }

    /** The address of the dashboard. */
    public URI address() {
        String shown = host.contains(":") ? "[" + host + "]" : host;
        return URI.create((material == null ? "http://" : "https://") + shown + ":" + server.port() + "/");
    }

    /** Ends the event streams, waits up to a second for that, and stops the server. Idempotent. */
    @Override
    public void close() {
        recorder.close();
        events.awaitEnds();
        server.close();
        metrics.close();
    }
}
