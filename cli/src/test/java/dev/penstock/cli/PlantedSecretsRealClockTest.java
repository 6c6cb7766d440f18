package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.penstock.gateway.Gateway;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.file.FlowSchema;
import dev.penstock.kit.StablePort;
import dev.penstock.lab.simulate.HttpSimulator;
import dev.penstock.observe.FlowSnapshot;
import dev.penstock.observe.WatchedFlow;
import dev.penstock.text.Sha256;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.ObjectMapper;

/**
 * Plants a secret in every place of a flow file that takes one, and in requests, and looks for it in all outputs. A new key for a
 * secret, or a new URL, fails here until it is planted too.
 */
@Timeout(180)
class PlantedSecretsRealClockTest {
    /** Part of every planted secret. */
    private static final String MARK = "pl4nted";

    private static final String KEY = "shop.pl4nted" + "0".repeat(36);

    /** Ports 1 and 9 refuse, so every call gets an error with its target. */
    private static final String FILE = """
            admin: { port: 0, token: "pl4nted-admin-token", view_token: "pl4nted-view-token", tls: { key_store: own.p12, password: pl4nted-keystore } }
            broker: { port: %d, user: penstock, password: pl4nted-broker }
            store: { url: "jdbc:h2:mem:planted;INIT=set @x = 'pl4nted'", user: me, password: pl4nted-store }
            transactions: { sample: all }
            flows:
              calls:
                from:
                  http:
                    port: 0
                    path: /calls
                    auth:
                      api_keys: { file: keys.txt }
                      jwt: { issuer: i, audience: a, jwks: "http://127.0.0.1:1/jwks?k=pl4nted" }
                to:
                  http:
                    url: "http://127.0.0.1:9/in?token=pl4nted-url"
                    headers: { Authorization: "Bearer pl4nted-header" }
                retry: { attempts: 2, key: Idempotency-Key }
                dedupe: { key: Idempotency-Key }
                settle: { url: "http://127.0.0.1:9/{Idempotency-Key}?t=pl4nted-settle", headers: { X-Key: pl4nted-settle } }
              batches:
                from: { http: { port: 0, path: /batches } }
                to:
                  http:
                    url: "http://127.0.0.1:9/in?token=pl4nted-url"
                    proxy: { url: "http://127.0.0.1:9", user: me, password: pl4nted-proxy }
                collapse:
                  url: "http://127.0.0.1:1/batch?t=pl4nted-batch"
                  format: json-array
                  headers: { Authorization: pl4nted-batch }
              secure:
                from: { http: { port: 0, path: /secure } }
                to:
                  http:
                    url: "https://127.0.0.1:9/?t=pl4nted-url"
                    tls: { key_store: own.p12, password: pl4nted-keystore }
              served:
                from: { http: { port: 0, path: /served, tls: { key_store: own.p12, password: pl4nted-keystore } } }
                to: { http: { url: "http://127.0.0.1:9/?t=pl4nted" } }
              server:
                from: { http: { port: 0, path: /server } }
                to:
                  jdbc:
                    url: "jdbc:postgresql://127.0.0.1:9/db?password=pl4nted-jdbc-url&options=pl4nted"
                    user: me
                    password: pl4nted-jdbc
                    statement: "insert into t values (1)"
                deadline: 500ms
              file:
                from: { http: { port: 0, path: /file } }
                to:
                  jdbc:
                    url: "jdbc:h2:mem:other;INIT=set @x = 'pl4nted'"
                    user: me
                    password: pl4nted-h2
                    statement: "insert into t values (1)"
                deadline: 500ms
              receive:
                from: { jms: { url: "tcp://me:pl4nted-jms@127.0.0.1:9?x=pl4nted", user: me, password: pl4nted-jms, queue: q, key: JMSMessageID } }
                to: { http: { url: "http://127.0.0.1:9/?t=pl4nted" } }
              send:
                from: { http: { port: 0, path: /send } }
                to: { jms: { url: "amqp://127.0.0.1:9?jms.password=pl4nted-jms", user: me, password: pl4nted-jms, queue: q } }
              records:
                from: { kafka: { url: "127.0.0.1:9", topic: t, group: g, properties: { secret: pl4nted-kafka } } }
                to: { http: { url: "http://127.0.0.1:9/?t=pl4nted" } }
              publish:
                from: { http: { port: 0, path: /publish } }
                to: { kafka: { url: "127.0.0.1:9", topic: t, properties: { secret: pl4nted-kafka } } }
                deadline: 500ms
              sendByFactory:
                from: { http: { port: 0, path: /sendByFactory } }
                to:
                  jms:
                    factory:
                      class: org.apache.qpid.jms.JmsConnectionFactory
                      properties: { remoteURI: "amqp://127.0.0.1:9?jms.password=pl4nted", password: pl4nted-factory }
                    queue: q
              receiveByFactory:
                from:
                  jms:
                    factory:
                      class: org.apache.qpid.jms.JmsConnectionFactory
                      properties: { remoteURI: "amqp://127.0.0.1:9?jms.password=pl4nted", password: pl4nted-factory }
                    queue: q
                    key: JMSMessageID
                to: { http: { url: "http://127.0.0.1:9/?t=pl4nted" } }
              accept:
                from: { http: { port: 0, path: /accept } }
                to: { jms: { url: embedded, queue: accepted } }
            """;

    @TempDir
    Path folder;

    private final Queue<String> outputs = new ConcurrentLinkedQueue<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private Path file;

    /** Everything that any class logs, at every level. */
    private final AppenderBase<ILoggingEvent> log = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            outputs.add(event.getLoggerName() + ": " + event.getFormattedMessage() + " " + thrown(event));
        }
    };

    private static String thrown(ILoggingEvent event) {
        StringBuilder all = new StringBuilder();
        for (var at = event.getThrowableProxy(); at != null; at = at.getCause()) {
            all.append(at.getMessage()).append(' ');
        }
        return all.toString();
    }

    @BeforeEach
    void write() throws Exception {
        file = Files.writeString(folder.resolve("f.yaml"), FILE.formatted(StablePort.free()));
        Files.writeString(folder.resolve("keys.txt"), "shop " + HexFormat.of().formatHex(Sha256.of(KEY)));
        FlowFileExamples.writeCertificate(folder, "pl4nted-keystore");
        LoggerContext logs = (LoggerContext) LoggerFactory.getILoggerFactory();
        log.setContext(logs);
        log.start();
        Logger root = logs.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.addAppender(log);
        for (String ours : List.of("penstock", "dev.penstock")) {
            logs.getLogger(ours).setLevel(Level.ALL);
        }
    }

    @AfterEach
    void stopLog() {
        LoggerContext logs = (LoggerContext) LoggerFactory.getILoggerFactory();
        logs.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).detachAppender(log);
        for (String ours : List.of("penstock", "dev.penstock")) {
            logs.getLogger(ours).setLevel(Level.INFO);
        }
    }

    @Test
    void everyPlaceForASecretIsPlanted() throws Exception {
        List<String> planted = new ArrayList<>();
        walk("", parsed(), (path, value) -> {
            if (value.contains(MARK)) {
                planted.add(path.replaceFirst("^flows[.]\\w+", "flows.NAME"));
            }
        });
        FlowSchema schema = FlowSchema.load();
        Stream<String> urls = schema.paths().stream().filter(path -> path.matches(".*[.](url|jwks)"));
        assertThat(Stream.concat(schema.secret().stream(), urls))
                // Nothing but host and port.
                .filteredOn(path -> !path.matches(".*[.]to[.](http[.]proxy|udp)[.]url|.*[.]kafka[.]url"))
                .allSatisfy(path -> assertThat(planted)
                        .as("plant a secret at " + path)
                        .anyMatch(place -> place.equals(path) || place.startsWith(path + ".")));
    }

    @Test
    void noOutputOfAGatewayShowsASecret() throws Exception {
        // Its pages over cleartext, as this client trusts nobody.
        Path started = Files.writeString(
                folder.resolve("started.yaml"), Files.readString(file).replaceFirst(", tls: [^}]*[}]", ""));
        try (Connection other = DriverManager.getConnection("jdbc:h2:mem:other", "me", "another");
                Gateway gateway = Gateway.start(started, FlowFile.read(started), () -> {})) {
            assertThat(other.isValid(0)).isTrue();
            Ran check = Ran.run(new CheckCommand(), file.toString());
            assertThat(check.code()).as(check.err()).isZero();
            outputs.add(check.out() + check.err());
            outputs.add(FlowFile.read(file).toString());
            for (WatchedFlow flow : gateway.flows()) {
                FlowSnapshot now = flow.snapshot();
                outputs.add(now.toString());
                if (now.from().startsWith("http://")) {
                    call(now);
                }
            }
            URI admin = Objects.requireNonNull(gateway.adminAddress());
            while (!get(admin, "/ready").contains("receiveByFactory")) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
            for (String page :
                    List.of("/", "/settings", "/flows", "/file", "/metrics", "/health", "/ready", "/transactions")) {
                outputs.add(get(admin, page));
            }
            events(admin);
            for (String token : List.of("pl4nted-guess", "pl4nted-admin-token")) {
                outputs.add(answer(HttpRequest.newBuilder(admin.resolve("/settings/calls/limit"))
                        .header("Authorization", "Bearer " + token)
                        .POST(HttpRequest.BodyPublishers.ofString("5"))));
            }
            outputs.add(gateway.drain().toString());
        }
        String records = Files.readString(folder.resolve("transactions.jsonl"));
        assertThat(records).contains("\"flow\":\"calls\"", "\"flow\":\"sendByFactory\"");
        outputs.add(records);
        Ran find = Ran.run(new FindCommand(), "--since=1h", folder.toString());
        assertThat(find.code()).as(find.err()).isZero();
        outputs.add(find.out() + find.err());
        assertThat(outputs).anyMatch(line -> line.startsWith("dev.penstock") || line.startsWith("penstock"));
        assertNothingShown();
    }

    /** With credentials of callers, of each kind, and others for the target. */
    private void call(FlowSnapshot flow) throws Exception {
        List<String> credentials =
                flow.name().equals("calls") ? List.of(KEY, KEY + "x", "pl4nted.pl4nted.pl4nted") : List.of("pl4nted");
        for (String credential : credentials) {
            outputs.add(answer(HttpRequest.newBuilder(URI.create(flow.from() + "?token=pl4nted"))
                    .header("Authorization", "Bearer " + credential)
                    .header("Cookie", "session=pl4nted")
                    .header("Idempotency-Key", "k-" + outputs.size())
                    .POST(HttpRequest.BodyPublishers.ofString("{}"))));
        }
    }

    private String get(URI admin, String path) throws Exception {
        return answer(asAdmin(admin, path));
    }

    private static HttpRequest.Builder asAdmin(URI admin, String path) {
        return HttpRequest.newBuilder(admin.resolve(path)).header("Authorization", "Bearer pl4nted-view-token");
    }

    private String answer(HttpRequest.Builder request) throws Exception {
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.headers().map() + " " + answer.body();
    }

    /** Those of the last calls are found within a second or two. */
    private void events(URI admin) throws Exception {
        HttpRequest request = asAdmin(admin, "/events").build();
        try (Stream<String> lines = client.send(request, BodyHandlers.ofLines()).body()) {
            assertThat(lines.peek(outputs::add)
                            .filter(line -> line.contains("\"events\":"))
                            .limit(4))
                    .anyMatch(line -> line.contains("\"kind\":\"failed\""));
        }
    }

    @Test
    void noErrorOfAFlowFileShowsASecret() throws Exception {
        List<String> places = new ArrayList<>();
        walk("", parsed(), (path, value) -> {
            if (value.contains(MARK)) {
                places.add(path);
            }
        });
        int errors = 0;
        for (String place : places) {
            for (UnaryOperator<Object> change : CHANGES) {
                errors += read(place, change, false);
            }
            errors += read(place, value -> value, true);
        }
        assertThat(errors).isGreaterThan(places.size());
        assertNothingShown();
    }

    /** What people write by mistake. */
    private static final List<UnaryOperator<Object>> CHANGES = List.of(
            List::of,
            value -> value + "\n\u0001",
            value -> "host " + value,
            value -> ((String) value).replaceFirst("^(jdbc:)?\\w+:(//)?", ""),
            value -> "${" + value);

    /** Reads the file with a changed value, or with the value in place of the mapping that has it; returns 1 for errors. */
    private int read(String place, UnaryOperator<Object> change, boolean above) throws Exception {
        Map<String, Object> whole = parsed();
        List<String> keys = List.of(place.split("[.]"));
        // The rest only takes time.
        whole.keySet().retainAll(List.of("flows", keys.getFirst()));
        inside(whole, "flows").keySet().retainAll(List.of("accept", keys.get(1)));
        Map<String, Object> at = whole;
        for (String key : keys.subList(0, keys.size() - (above ? 2 : 1))) {
            at = inside(at, key);
        }
        Object value = above ? inside(at, keys.get(keys.size() - 2)).get(keys.getLast()) : at.get(keys.getLast());
        at.put(above ? keys.get(keys.size() - 2) : keys.getLast(), change.apply(Objects.requireNonNull(value)));
        Path changed = Files.writeString(folder.resolve("changed.yaml"), new ObjectMapper().writeValueAsString(whole));
        try {
            outputs.addAll(FlowFile.read(changed).warnings());
            return 0;
        } catch (BadConfig bad) {
            outputs.addAll(bad.lines());
            return 1;
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> inside(Map<String, Object> at, String key) {
        return (Map<String, Object>) Objects.requireNonNull(at.get(key), key);
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> parsed() throws Exception {
        return (Map<String, Object>) new Load(LoadSettings.builder().build()).loadFromString(Files.readString(file));
    }

    private static void walk(String prefix, Map<String, Object> mapping, BiConsumer<String, String> to) {
        mapping.forEach((key, value) -> {
            if (value instanceof Map<?, ?> inner) {
                Map<String, Object> named = new LinkedHashMap<>();
                inner.forEach((name, of) -> named.put((String) name, of));
                walk(prefix + key + ".", named, to);
            } else {
                to.accept(prefix + key, String.valueOf(value));
            }
        });
    }

    @Test
    void noResultFileShowsASecret() throws Exception {
        try (HttpSimulator simulator = HttpSimulator.builder().start()) {
            String http = simulator.url() + "/pay?token=pl4nted";
            for (List<String> target : List.of(
                    List.of(http, "--header=Authorization: pl4nted"),
                    List.of("jdbc:h2:mem:load;USER=me;PASSWORD=pl4nted", "--statement=select 1"))) {
                List<String> options = new ArrayList<>(target);
                options.addAll(List.of("--quiet", "--users=1", "--for=50ms"));
                List<Path> results = Stream.of("json", "html", "markdown")
                        .map(kind -> folder.resolve("result." + kind))
                        .toList();
                results.forEach(
                        path -> options.add("--" + path.getFileName().toString().replace("result.", "") + "=" + path));
                Ran load = Ran.run(new LoadCommand(), options.toArray(String[]::new));
                outputs.add(load.out() + load.err());
                for (Path result : results) {
                    outputs.add(Files.readString(result));
                }
            }
        }
        assertNothingShown();
    }

    private void assertNothingShown() {
        List<String> encoded = Stream.of("me:pl4nted-proxy", "pl4nted-header", "pl4nted-admin-token")
                .map(secret -> Base64.getEncoder().encodeToString(secret.getBytes(StandardCharsets.UTF_8)))
                .toList();
        assertThat(outputs)
                .isNotEmpty()
                .filteredOn(line -> line.contains(MARK) || encoded.stream().anyMatch(line::contains))
                .isEmpty();
    }
}
