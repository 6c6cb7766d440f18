package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.penstock.gateway.callers.ApiKey;
import dev.penstock.gateway.callers.TokenIssuer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the tables of docs/requests.md about callers and the admin port. */
@Timeout(120)
class HostileCallersRealClockTest extends GatewayFixture {
    private static final Path PAGE = Path.of("..", "docs", "requests.md");
    private static final String OPERATE = "operate-0123456789";
    private static final String VIEW = "view-0123456789abc";
    private static final TokenIssuer RSA = new TokenIssuer("RS256", "rsa");
    private static final TokenIssuer EC = new TokenIssuer("ES256", "ec");
    private static final TokenIssuer FOREIGN = new TokenIssuer("RS256", "rsa");
    private static final TokenIssuer OLD = new TokenIssuer("RS256", "old");
    private static final TokenIssuer OWN = new TokenIssuer("RS256", "own");
    private static final ApiKey SHOP = ApiKey.create("shop");
    private static final ApiKey BANK = ApiKey.create("bank");
    private static final Set<String> REFUSALS = ConcurrentHashMap.newKeySet();

    @Override
    Gateway start() throws Exception {
        Path keys = Files.writeString(folder.resolve("keys.txt"), SHOP.line() + "\n" + BANK.line() + "\n");
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
        Files.writeString(folder.resolve("jwks.json"), TokenIssuer.jwks(RSA, EC));
        return Running.gateway(folder, """
                admin: { port: 0, token: %s, view_token: %s }
                flows:
                  payments:
                    from:
                      http:
                        port: 0
                        path: /pay
                        auth:
                          api_keys: { file: keys.txt }
                          jwt: { issuer: "https://id.example/", audience: payments, jwks: jwks.json }
                    to: { http: { url: "%s" } }
                """.formatted(OPERATE, VIEW, target.url()));
    }

    private static Stream<List<String>> rows(String section) throws IOException {
        String after = Files.readString(PAGE).split("\n## " + section + "\n", 2)[1];
        return after.split("\n## ", 2)[0]
                .lines()
                .filter(line -> line.startsWith("| ") && !line.endsWith("| what happens |"))
                .map(line -> Stream.of(line.replace("`", "").split("\\|", -1))
                        .map(String::strip)
                        .toList());
    }

    static Stream<List<String>> callers() throws IOException {
        return rows("Callers");
    }

    static Stream<List<String>> admin() throws IOException {
        return rows("The admin port");
    }

    private static Date in(long seconds) {
        return Date.from(Instant.now().plusSeconds(seconds));
    }

    private static JWTClaimsSet.Builder claims() {
        return TokenIssuer.claims("shop");
    }

    private static String with(JWTClaimsSet.Builder claims) {
        return "Bearer " + RSA.token(claims.build());
    }

    private static JWSHeader.Builder head(String kid) {
        return new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(kid);
    }

    private static String with(JWSHeader.Builder head) {
        return "Bearer " + RSA.token(head.build(), claims().build());
    }

    /** Made for each test, because some expire soon. */
    private static Map<String, String> credentials() {
        try {
            JWTClaimsSet valid = claims().build();
            String[] parts = RSA.token(valid).split("\\.");
            String none = new PlainJWT(valid).serialize();
            String admin = Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(
                            TokenIssuer.claims("admin").build().toString().getBytes(StandardCharsets.UTF_8));
            SignedJWT confused = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("rsa").build(), valid);
            confused.sign(new MACSigner(RSA.pem().getBytes(StandardCharsets.UTF_8)));
            String key = SHOP.text();
            Map<String, String> all = new LinkedHashMap<>();
            all.put("a key", "Bearer " + key);
            all.put("a token", "Bearer " + RSA.token(valid));
            all.put("a token of another key of the issuer", "Bearer " + EC.token(valid));
            all.put("a token that expired 15 s ago", with(claims().expirationTime(in(-15))));
            all.put("none", "");
            all.put("the name of a key", "Bearer shop");
            all.put(
                    "a key that is not in the file",
                    "Bearer " + ApiKey.create("shop").text());
            all.put("the key of a caller under the name of another", "Bearer bank" + key.substring(4));
            all.put("a key and one character", "Bearer " + key + "x");
            all.put("a key but for its last character", "Bearer " + key.substring(0, key.length() - 1));
            all.put("two keys", "Bearer " + key + "\r\nAuthorization: Bearer " + BANK.text());
            all.put(
                    "a key as a password",
                    "Basic " + Base64.getEncoder().encodeToString(("shop:" + key).getBytes(StandardCharsets.UTF_8)));
            all.put("a token with alg: none", "Bearer " + none);
            all.put("a token with alg: none and a signature", "Bearer " + none + parts[2]);
            all.put("a token with HS256, signed with the public key", "Bearer " + confused.serialize());
            all.put("a token without its signature", "Bearer " + parts[0] + "." + parts[1] + ".");
            all.put("a token with other claims", "Bearer " + parts[0] + "." + admin + "." + parts[2]);
            all.put("a token of another issuer's key with the same kid", "Bearer " + FOREIGN.token(valid));
            all.put("a token of a key that the issuer has replaced", "Bearer " + OLD.token(valid));
            all.put("a token with the kid of another key", with(head("ec")));
            all.put("a token that brings its own key", "Bearer " + own(valid));
            all.put("a token that must be understood by crit", with(head("rsa").criticalParams(Set.of("exp"))));
            all.put("a token of another type", with(head("rsa").type(new JOSEObjectType("logout+jwt"))));
            all.put("a token that expired 31 s ago", with(claims().expirationTime(in(-31))));
            all.put("a token that never expires", with(claims().expirationTime(null)));
            all.put("a token that is valid in a minute", with(claims().notBeforeTime(in(60))));
            all.put("a token of another issuer", with(claims().issuer("https://id.example")));
            all.put("a token for another audience", with(claims().audience("refunds")));
            all.put("a token for no audience", with(claims().audience((String) null)));
            all.put("a token for a name of two words", with(claims().subject("two words")));
            all.put("a token for a name with a line break", with(claims().subject("shop\r\nX: y")));
            all.put("a token for no name", with(claims().subject("")));
            return all;
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static String own(JWTClaimsSet claims) throws Exception {
        JWK key = JWKSet.parse(TokenIssuer.jwks(OWN)).getKeys().getFirst();
        return OWN.token(head("own").jwk(key).build(), claims);
    }

    private static String answer(URI server, String request) throws IOException {
        try (Socket client = new Socket(server.getHost(), server.getPort())) {
            client.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            client.shutdownOutput();
            return new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @ParameterizedTest
    @MethodSource("callers")
    void whoMayCall(List<String> row) throws Exception {
        String credential = Objects.requireNonNull(credentials().get(row.get(1)), row.get(1));
        String field = credential.isEmpty() ? "" : "Authorization: " + credential + "\r\n";
        URI flow = URI.create(Running.url(gateway));
        String answer = answer(flow, "GET /pay HTTP/1.1\r\nHost: h\r\n" + field + "\r\n");
        assertThat(answer).startsWith("HTTP/1.1 " + row.get(2) + " ");
        boolean admitted = row.get(2).equals("200");
        assertThat(target.received.get()).isEqualTo(admitted ? 1 : 0);
        if (!admitted) {
            REFUSALS.add(answer.replaceFirst("Date: .*\r\n", ""));
            assertThat(REFUSALS).as("none says what was wrong").hasSize(1);
        }
    }

    @Test
    void eachCredentialHasARow() throws Exception {
        assertThat(callers().map(row -> row.get(1)))
                .containsExactlyElementsOf(credentials().keySet());
    }

    @ParameterizedTest
    @MethodSource("admin")
    void whoMayUseTheAdminPort(List<String> row) throws Exception {
        URI admin = Objects.requireNonNull(gateway.adminAddress());
        String here = "127.0.0.1:" + admin.getPort();
        String[] parts = row.get(2)
                .replace("HERE", here)
                .replace("VIEW", VIEW)
                .replace("OPERATE", OPERATE)
                .split("\\\\r\\\\n\\\\r\\\\n", 2);
        String body = parts.length > 1 ? parts[1] : "";
        String fields = parts[0].isEmpty() ? "" : parts[0].replace("\\r\\n", "\r\n") + "\r\n";
        String host = fields.contains("Host: ") ? "" : "Host: " + here + "\r\n";
        String head = row.get(1) + " HTTP/1.1\r\n" + host + fields + "Content-Length: " + body.length() + "\r\n\r\n";
        assertThat(answer(admin, head + body)).startsWith("HTTP/1.1 " + row.get(3) + " ");
    }
}
