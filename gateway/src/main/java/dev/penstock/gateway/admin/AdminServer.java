package dev.penstock.gateway.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.Ticker;
import dev.penstock.gateway.admin.AdminAccess.Role;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.config.ListenerTls;
import dev.penstock.gateway.file.FlowSchema;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Header;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.PageServer;
import dev.penstock.http.source.PageServer.PageClient;
import dev.penstock.http.tls.TlsMaterial;
import dev.penstock.observe.PenstockMetrics;
import dev.penstock.observe.WatchedProcess;
import dev.penstock.observe.page.Dashboard;
import dev.penstock.observe.page.Dashboard.Page;
import dev.penstock.text.Json;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Serves the dashboard, health, metrics and settings of a gateway, and changes settings and log levels, for authorised callers.
 * Thread-safe.
 *
 * <p>Use {@code /ready} for load balancers and {@code /health} for process supervisors: see {@link Dashboard}.
 */
public final class AdminServer implements AutoCloseable {
    private static final int MAX_BODY = 4_096;
    private static final ExpositionFormats FORMATS = ExpositionFormats.init();
    static final Header NO_STORE = new Header("Cache-Control", "no-store");
    static final Header NO_SNIFF = new Header("X-Content-Type-Options", "nosniff");

    private static final Headers STREAM =
            Headers.of(List.of(new Header("Content-Type", "text/event-stream; charset=utf-8"), NO_STORE, NO_SNIFF));

    /** For probes, which have no token. */
    private static final Set<String> OPEN = Set.of("/health", "/ready");

    private final ReloadableFile file;
    private final String host;
    private final @Nullable TlsMaterial material;
    private final KnownHosts hosts;
    private final String schema = FlowSchema.load().json();
    private final Dashboard dashboard;
    private final Header policy;
    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final AdminAccess access;
    private final SettingChanges changes;
    private final @Nullable LogLevels levels =
            ServiceLoader.load(LogLevels.class).findFirst().orElse(null);
    private final ChangeHandler changeHandler;
    private final PageServer server;

    private AdminServer(AdminConfig config, WatchedProcess gateway, ReloadableFile file) throws IOException {
        this.file = file;
        ListenerTls tls = config.tls();
        this.material = tls == null ? null : tls.tls().open();
        this.host = config.host().value();
        int port = config.port().value();
        InetAddress address = address(host);
        this.hosts = new KnownHosts(host, address, config.hosts());
        this.dashboard = new Dashboard(gateway, true);
        this.policy = new Header("Content-Security-Policy", dashboard.policy());
        this.access = new AdminAccess(config, Ticker.SYSTEM);
        this.changes = new SettingChanges(
                config.audit() == null ? null : new AuditFile(config.audit(), InstantSource.system()));
        this.changeHandler = new ChangeHandler(gateway, file, changes, levels);
        PenstockMetrics.bindTo(metrics, gateway);
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
     * @param file its flow file
     * @throws IOException it cannot listen, or not write the audit file; the message says what to do
     */
    public static AdminServer start(AdminConfig config, WatchedProcess gateway, ReloadableFile file)
            throws IOException {
        AdminServer admin = new AdminServer(config, gateway, file);
        try {
            admin.server.start();
        } catch (IOException portInUse) {
            admin.metrics.close();
            throw new IOException(
                    "cannot listen on port " + config.port().value() + " on " + admin.host
                            + ": stop the process that uses it, or change admin.host or admin.port ("
                            + portInUse.getMessage() + ")",
                    portInUse);
        }
        admin.dashboard.start();
        return admin;
    }

    private static InetAddress address(String host) throws IOException {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException unknown) {
            throw new IOException("unknown host " + host + ": set admin.host to an address of this machine", unknown);
        }
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
        Role needed = ChangeHandler.isFor(path) ? Role.OPERATE : Role.VIEW;
        HttpAnswer refusal = OPEN.contains(path) ? null : access.refusal(request, client.peer(), needed);
        if (refusal != null) {
            return refusal;
        }
        return needed == Role.OPERATE
                ? changeHandler.handle(request, path, access.name(client.peer()))
                : page(request, path, client);
    }

    private @Nullable HttpAnswer page(HttpCall request, String path, PageClient client) throws Exception {
        if (path.equals("/events")) {
            return "GET".equals(request.method()) ? events(request, client) : onlyGet();
        }
        if (path.equals("/metrics")) {
            return isRead(request) ? metrics(request) : onlyGet();
        }
        Page shown = switch (path) {
            case "/schema" -> new Page(200, "application/json", schema);
            case "/file" -> new Page(200, "application/json", Json.write(file.running()));
            case "/loggers" -> new Page(200, "application/json", loggers());
            default -> dashboard.get(request.path());
        };
        if (shown == null) {
            return plain(
                    404,
                    "not found: see /, /health, /ready, /metrics, /flows, /settings, /fleet, /transactions, /history, /file, /loggers, /schema, /events\n");
        }
        return isRead(request) ? answer(shown) : onlyGet();
    }

    private String loggers() {
        return Json.write(Map.of("loggers", new TreeMap<>(levels == null ? Map.of() : levels.own())));
    }

    private static HttpAnswer onlyGet() {
        return plain(405, "GET and HEAD only\n").withHeader("Allow", "GET, HEAD");
    }

    private @Nullable HttpAnswer events(HttpCall request, PageClient client) {
        if (!client.canStream()) {
            return plain(505, "/events needs HTTP/1.1: behind nginx, set proxy_http_version 1.1\n");
        }
        Page refusal = dashboard.stream(request.headers().first("Last-Event-ID"), () -> client.stream(STREAM));
        return refusal == null ? null : answer(refusal).withHeader("Retry-After", "5");
    }

    private static String path(HttpCall request) {
        int query = request.path().indexOf('?');
        return query < 0 ? request.path() : request.path().substring(0, query);
    }

    /** In the format that the scraper asks for: text, OpenMetrics, or, with native histograms, protobuf. */
    private HttpAnswer metrics(HttpCall request) throws IOException {
        ExpositionFormatWriter format = FORMATS.findWriter(request.headers().first("Accept"));
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        format.write(body, metrics.getPrometheusRegistry().scrape());
        return answer(200, format.getContentType(), body.toByteArray());
    }

    private HttpAnswer answer(Page shown) {
        return answer(shown.status(), shown.type(), shown.body().getBytes(UTF_8));
    }

    private HttpAnswer answer(int status, String type, byte[] body) {
        return HttpAnswer.of(status, Headers.of(List.of(policy, new Header("Content-Type", type))), body);
    }

    /** Load balancers use HEAD for /health and /ready. */
    private static boolean isRead(HttpCall request) {
        return "GET".equals(request.method()) || "HEAD".equals(request.method());
    }

    static HttpAnswer plain(int status, String text) {
        return HttpAnswer.of(status, text).withHeader("Content-Type", "text/plain; charset=utf-8");
    }

    /** Pins settings, and writes the audit file. */
    public SettingChanges changes() {
        return changes;
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
        dashboard.close();
        server.close();
        metrics.close();
    }
}
