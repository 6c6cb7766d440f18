package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.penstock.gateway.callers.ApiKey;
import dev.penstock.gateway.callers.TokenIssuer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may call a flow, and how much, seen from outside. */
@Timeout(120)
class CallersRealClockTest {
    private static final TokenIssuer RSA = new TokenIssuer("RS256", "rsa");
    private static final String JWT = "jwt: { issuer: \"https://id.example/\", audience: payments, ";

    @TempDir
    Path folder;

    private final List<Headers> received = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch held = new CountDownLatch(0);
    private HttpServer target;
    private @Nullable Gateway started;

    @BeforeEach
    void open() throws Exception {
        target = Running.target(exchange -> {
            received.add(exchange.getRequestHeaders());
            try (exchange) {
                held.await();
                exchange.sendResponseHeaders(200, -1);
            } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @AfterEach
    void close() {
        held.countDown();
        if (started != null) {
            started.close();
        }
        target.stop(0);
    }

    private Gateway gateway() {
        return Objects.requireNonNull(started);
    }

    private void start(String auth, String... lines) throws Exception {
        started = Running.gateway(folder, """
                admin: { port: 0 }
                state: %s
                flows:
                  payments:
                    from: { http: { port: 0, path: /pay%s } }
                    to: { http: "%s" }
                    %s
                  open:
                    from: { http: { port: 0, path: /open } }
                    to: { http: "%s" }
                """.formatted(
                        folder.resolve("state"),
                        auth.isEmpty() ? "" : ", auth: { " + auth + " }",
                        url(),
                        String.join("\n    ", lines),
                        url()));
    }

    private String url() {
        return "http://127.0.0.1:" + target.getAddress().getPort() + "/t";
    }

    /** Replaces the file, as a secret store does. */
    private String keys(String... lines) throws IOException {
        return file("keys.txt", String.join("\n", lines) + "\n");
    }

    private String file(String name, String text) throws IOException {
        Path fresh = Files.writeString(folder.resolve("fresh"), text);
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
        Files.move(fresh, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        return name.equals("keys.txt") ? "api_keys: { file: keys.txt }" : name;
    }

    private HttpResponse<String> get(String credential, String... headers) throws Exception {
        return Running.CLIENT.send(request(Running.url(gateway()), credential, headers), BodyHandlers.ofString());
    }

    private static HttpRequest request(String url, String credential, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).POST(BodyPublishers.ofString("x"));
        if (!credential.isEmpty()) {
            request.header("Authorization", "Bearer " + credential);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.build();
    }

    private static String field(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    private String metrics() throws Exception {
        return Running.get(gateway().adminAddress() + "metrics").body();
    }

    @Test
    void aKeyIsReplacedByTheNameOfItsCaller() throws Exception {
        ApiKey shop = ApiKey.create("shop");
        start(keys("# callers", "", shop.line()));
        assertThat(get(shop.text(), "Penstock-Caller", "bank", "X-Other", "1").statusCode())
                .isEqualTo(200);
        assertThat(received.getFirst().get("Penstock-Caller")).containsExactly("shop");
        assertThat(received.getFirst().get("Authorization")).isNull();
        assertThat(received.getFirst().get("X-Other")).containsExactly("1");
        assertThat(metrics())
                .contains("penstock_callers_total{caller=\"shop\",flow=\"payments\",result=\"admitted\"} 1.0");
    }

    @Test
    void everyOtherRequestGetsTheSameAnswer() throws Exception {
        ApiKey shop = ApiKey.create("shop");
        ApiKey bank = ApiKey.create("bank");
        start(keys(shop.line(), bank.line()) + ", " + JWT + "key: " + file("key.pem", RSA.pem()) + " }");
        Set<Map<String, List<String>>> fields = new LinkedHashSet<>();
        Set<String> bodies = new LinkedHashSet<>();
        for (String credential : List.of(
                "",
                "shop",
                "nobody." + "x".repeat(43),
                "shop." + "x".repeat(43),
                "bank" + shop.text().substring(4),
                shop.text() + "x",
                shop.text().substring(0, 40),
                "a.b.c",
                "x".repeat(9000))) {
            HttpResponse<String> answer = get(credential);
            assertThat(answer.statusCode()).as(credential).isEqualTo(401);
            bodies.add(answer.body());
            fields.add(answer.headers().map());
        }
        HttpResponse<String> twice = get(shop.text(), "Authorization", "Bearer " + bank.text());
        assertThat(twice.statusCode()).isEqualTo(401);
        bodies.add(twice.body());
        assertThat(bodies).singleElement().asString().contains("\"status\":401", "\"ending\":\"none\"");
        fields.forEach(each -> assertThat(each)
                .containsEntry("content-type", List.of("application/problem+json"))
                .containsEntry("www-authenticate", List.of("Bearer realm=\"payments\"")));
        assertThat(received).isEmpty();
        assertThat(metrics()).contains("penstock_caller_failures_total{flow=\"payments\",result=\"refused\"} 10.0");
    }

    @Test
    void noClientNamesItself() throws Exception {
        ApiKey shop = ApiKey.create("shop");
        start(keys(shop.line()));
        String open = gateway().flows().getLast().snapshot().from();
        HttpRequest spoofed = request(open, "", "Penstock-Caller", "shop", "penstock-CALLER", "bank");
        assertThat(Running.CLIENT.send(spoofed, BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
        assertThat(received.getFirst().get("Penstock-Caller"))
                .as("a flow without authentication beside it")
                .isNull();
        String raw = "POST /pay HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nAuthorization: Bearer " + shop.text()
                + "\r\nConnection: close, Penstock-Caller\r\n\r\n";
        try (var client =
                new Socket("127.0.0.1", URI.create(Running.url(gateway())).getPort())) {
            client.getOutputStream().write(raw.getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .as("the name would be removed")
                    .startsWith("HTTP/1.1 400 ");
        }
        assertThat(received).hasSize(1);
    }

    @Test
    void aKeyFileIsReadAgainWhenItChanges() throws Exception {
        ApiKey shop = ApiKey.create("shop");
        ApiKey bank = ApiKey.create("bank");
        start(keys(shop.line()));
        assertThat(get(shop.text()).statusCode()).isEqualTo(200);
        keys(bank.line());
        Running.until(() -> status(bank.text()) == 200);
        assertThat(status(shop.text()))
                .as("revoked, by an address that has failed often")
                .isIn(401, 429);
        keys("no line");
        Running.until(() -> Instant.now().isAfter(lastChange().plusSeconds(2)));
        assertThat(status(bank.text())).as("a broken file changes nothing").isEqualTo(200);
        Files.delete(folder.resolve("keys.txt"));
        assertThat(status(bank.text())).isEqualTo(200);
    }

    private Instant lastChange() {
        try {
            return Files.getLastModifiedTime(folder.resolve("keys.txt")).toInstant();
        } catch (IOException gone) {
            throw new IllegalStateException(gone);
        }
    }

    private int status(String credential) {
        try {
            return get(credential).statusCode();
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RS256", "ES256", "EdDSA"})
    void aTokenIsVerifiedByTheKeyOfItsIssuer(String algorithm) throws Exception {
        TokenIssuer issuer = new TokenIssuer(algorithm, "one");
        TokenIssuer other = new TokenIssuer(algorithm, "one");
        start(JWT + "jwks: " + file("jwks.json", TokenIssuer.jwks(issuer, RSA)) + " }");
        assertThat(status(issuer.token("shop"))).isEqualTo(200);
        assertThat(status(issuer.token("shop"))).isEqualTo(200);
        assertThat(status(other.token("shop"))).as("signed by another key").isEqualTo(401);
        file("key.pem", issuer.pem());
        gateway().close();
        start(JWT + "key: key.pem, name: client_id }");
        String named =
                issuer.token(TokenIssuer.claims("s").claim("client_id", "bank").build());
        assertThat(status(named)).isEqualTo(200);
        assertThat(status(issuer.token("shop"))).as("without that claim").isEqualTo(401);
        assertThat(received)
                .extracting(fields -> fields.getFirst("Penstock-Caller"))
                .containsExactly("shop", "shop", "bank");
    }

    @Test
    void keysOfAnIssuerRotate() throws Exception {
        TokenIssuer next = new TokenIssuer("ES256", "next");
        AtomicReference<String> published = new AtomicReference<>(TokenIssuer.jwks(RSA));
        HttpServer issuer = Running.target(exchange -> {
            try (exchange) {
                byte[] set = published.get().getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, set.length);
                exchange.getResponseBody().write(set);
            }
        });
        try {
            start(JWT + "jwks: \"http://127.0.0.1:" + issuer.getAddress().getPort() + "/jwks\" }");
            String old = RSA.token("shop");
            Running.until(() -> status(old) == 200);
            published.set(TokenIssuer.jwks(next));
            // Until the keys may be fetched again, ten seconds after the last time.
            Running.until(() -> status(next.token("shop")) == 200);
            assertThat(status(old)).as("verified before, by a key that is gone").isEqualTo(401);
        } finally {
            issuer.stop(0);
        }
    }

    @Test
    void withoutKeysOfTheIssuerItCannotTell() throws Exception {
        start(JWT + "jwks: \"http://127.0.0.1:1/jwks\" }");
        HttpResponse<String> answer = get(RSA.token("shop"));
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(field(answer, "Retry-After")).isEqualTo("1");
        assertThat(answer.body()).contains("\"cause\":\"authentication\"");
    }

    @Test
    void eachCallerHasItsShare() throws Exception {
        ApiKey shop = ApiKey.create("shop");
        ApiKey bank = ApiKey.create("bank");
        ApiKey large = ApiKey.create("large");
        start(
                keys(shop.line(), bank.line(), large.line() + " rate=100/s burst=4 "),
                "callers: { rate: 0.02/s, burst: 2 }");
        assertThat(statuses(shop.text(), 3)).containsExactly(200, 200, 429);
        assertThat(statuses(bank.text(), 2)).as("another caller").containsExactly(200, 200);
        assertThat(statuses(large.text(), 4)).as("with more").containsExactly(200, 200, 200, 200);
        HttpResponse<String> answer = get(shop.text());
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(field(answer, "RateLimit-Policy")).isEqualTo("\"rate\";q=2;w=100");
        String seconds = field(answer, "Retry-After");
        assertThat(Integer.parseInt(seconds)).isBetween(1, 50);
        assertThat(field(answer, "RateLimit")).isEqualTo("\"rate\";r=0;t=" + seconds);
        assertThat(field(answer, "Penstock-Ending")).isEqualTo("rejected");
        assertThat(answer.body()).contains("\"status\":429", "\"cause\":\"rate\"", "\"flow\":\"payments\"");
        keys(shop.line() + " rate=1000/s");
        Running.until(() -> status(shop.text()) == 200);
        assertThat(metrics())
                .contains("penstock_callers_total{caller=\"bank\",flow=\"payments\",result=\"rate\"} 0.0")
                .contains("penstock_callers_total{caller=\"large\",flow=\"payments\",result=\"admitted\"} 4.0");
    }

    private List<Integer> statuses(String credential, int requests) {
        Integer[] all = new Integer[requests];
        Arrays.setAll(all, i -> status(credential));
        return List.of(all);
    }

    @Test
    void withoutAuthenticationEachAddressHasItsShare() throws Exception {
        start("", "callers: { rate: 0.01/s, burst: 3 }");
        assertThat(statuses("", 5)).containsExactly(200, 200, 200, 429, 429);
        assertThat(metrics()).contains("penstock_callers_total{caller=\"any\",flow=\"payments\",result=\"rate\"} 2.0");
    }

    @Test
    void aCallerHasSoManyRequestsInProgress() throws Exception {
        ApiKey shop = ApiKey.create("shop");
        ApiKey bank = ApiKey.create("bank");
        start(keys(shop.line(), bank.line()), "callers: { concurrency: 2 }");
        held = new CountDownLatch(1);
        CompletableFuture<HttpResponse<String>> one = later(shop);
        CompletableFuture<HttpResponse<String>> two = later(shop);
        Running.until(() -> received.size() == 2);
        HttpResponse<String> third = get(shop.text());
        assertThat(third.statusCode()).isEqualTo(429);
        assertThat(field(third, "RateLimit-Policy")).isEqualTo("\"concurrency\";q=2;qu=\"concurrent-requests\"");
        assertThat(field(third, "Retry-After")).isEqualTo("1");
        CompletableFuture<HttpResponse<String>> other = later(bank);
        Running.until(() -> received.size() == 3);
        held.countDown();
        assertThat(List.of(one.get(), two.get(), other.get()))
                .extracting(HttpResponse::statusCode)
                .containsOnly(200);
        Running.until(() -> status(shop.text()) == 200);
    }

    private CompletableFuture<HttpResponse<String>> later(ApiKey key) {
        return Running.CLIENT.sendAsync(request(Running.url(gateway()), key.text()), BodyHandlers.ofString());
    }

    @Test
    void onlyAllowedCallersAreUrgent() throws Exception {
        ApiKey shop = ApiKey.create("shop");
        ApiKey vip = ApiKey.create("vip");
        ApiKey batch = ApiKey.create("batch");
        start(
                keys(shop.line(), vip.line() + " priority=1", batch.line() + " priority=6"),
                "callers: { concurrency: 100 }");
        for (ApiKey key : List.of(shop, vip, batch)) {
            assertThat(get(key.text()).statusCode()).isEqualTo(200);
            assertThat(get(key.text(), "Priority", "u=0").statusCode()).isEqualTo(200);
            assertThat(get(key.text(), "Priority", "u=7, i").statusCode()).isEqualTo(200);
        }
        assertThat(received)
                .extracting(fields -> fields.getFirst("Priority"))
                .containsExactly(null, "u=3", "u=7, i", "u=1", "u=1", "u=7, i", "u=6", "u=6", "u=7, i");
    }

    @Test
    void anAddressThatFailsTooOftenIsNotVerifiedAnyMore() throws Exception {
        ApiKey shop = ApiKey.create("shop");
        start(keys(shop.line()) + ", " + JWT + "key: " + file("key.pem", RSA.pem()) + " }");
        String known = RSA.token("bank");
        assertThat(status(known)).isEqualTo(200);
        Running.until(() -> status("shop.wrong") == 429);
        Running.until(
                () -> status(RSA.token(TokenIssuer.claims("bank").jwtID("fresh").build())) == 429);
        assertThat(status(shop.text())).as("a key of a neighbour").isEqualTo(200);
        assertThat(status(known)).as("a token that is known").isEqualTo(200);
        assertThat(metrics())
                .doesNotContain("penstock_caller_failures_total{flow=\"payments\",result=\"limited\"} 0.0");
    }

    @Test
    void eachCallerHasItsOwnIdempotencyKeys() throws Exception {
        start(JWT + "key: " + file("key.pem", RSA.pem()) + " }", "dedupe: Idempotency-Key");
        for (String token : List.of(
                RSA.token("shop"),
                RSA.token(TokenIssuer.claims("shop").jwtID("renewed").build()),
                RSA.token("bank"))) {
            assertThat(get(token, "Idempotency-Key", "k").statusCode()).isEqualTo(200);
        }
        assertThat(received)
                .extracting(fields -> fields.getFirst("Penstock-Caller"))
                .containsExactly("shop", "bank");
    }
}
