package dev.penstock.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.admin.AdminAccess.Role;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.GatewayConfig.AdminConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.header.Headers;
import dev.penstock.http.source.RequestGate.Peer;
import dev.penstock.kit.StandingTicker;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdminAccessTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final String VIEW = "fedcba9876543210";
    private static final Peer HERE = peer("127.0.0.1");
    private static final Peer ELSEWHERE = peer("192.0.2.7");

    private final AdminAccess open = access(null, null);
    private final AdminAccess guarded = access(TOKEN, VIEW);

    private static AdminAccess access(@Nullable String token, @Nullable String view) {
        return new AdminAccess(
                new AdminConfig(
                        Configured.byDefault("127.0.0.1"),
                        List.of(),
                        Configured.byDefault(0),
                        null,
                        false,
                        secret(token),
                        secret(view),
                        null),
                new StandingTicker(0));
    }

    private static Peer peer(String address) {
        return new Peer(InetAddress.ofLiteral(address), false, List.of());
    }

    private static @Nullable Configured<Secret> secret(@Nullable String value) {
        return value == null ? null : Configured.byDefault(new Secret(value));
    }

    private static HttpCall call(String... fields) {
        Headers headers = Headers.none().with("Host", "127.0.0.1:9090");
        for (int i = 0; i < fields.length; i += 2) {
            headers = headers.with(fields[i], fields[i + 1]);
        }
        return HttpCall.of("GET", "/flows", headers, new byte[0]);
    }

    private static int status(@Nullable HttpAnswer refusal) {
        return refusal == null ? 200 : refusal.status();
    }

    private static @Nullable String field(@Nullable HttpAnswer refusal, String name) {
        return refusal == null ? null : refusal.headers().first(name);
    }

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void withoutTokenOnlyThisMachineMayLookAndPin() {
        for (Role role : List.of(Role.VIEW, Role.OPERATE)) {
            assertThat(status(open.refusal(call(), HERE, role))).isEqualTo(200);
            assertThat(status(open.refusal(call(), peer("::1"), role))).isEqualTo(200);
            assertThat(status(open.refusal(call(), ELSEWHERE, role))).isEqualTo(403);
            assertThat(status(open.refusal(call("Authorization", "Bearer " + TOKEN), ELSEWHERE, role)))
                    .isEqualTo(403);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Via", "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP"})
    void withoutTokenAProxyIsNotThisMachine(String field) {
        assertThat(status(open.refusal(call(field, "x"), HERE, Role.VIEW))).isEqualTo(403);
        assertThat(status(guarded.refusal(call(field, "x", "Authorization", "Bearer " + VIEW), HERE, Role.VIEW)))
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "http://evil.example, '', cors",
        "http://127.0.0.1:8080, '', cors",
        "http://127.0.0.1, '', cors",
        "null, '', cors",
        "null, cross-site, navigate",
        "'', cross-site, no-cors",
        "'', same-site, no-cors",
        "http://127.0.0.1:9090, cross-site, cors"
    })
    void refusesPagesOfOtherSitesWhateverTheyKnow(String origin, String site, String mode) {
        HttpCall call = call(
                "Origin", origin, "Sec-Fetch-Site", site, "Sec-Fetch-Mode", mode, "Authorization", "Bearer " + TOKEN);
        for (Role role : List.of(Role.VIEW, Role.OPERATE)) {
            assertThat(status(open.refusal(call, HERE, role))).isEqualTo(403);
            assertThat(status(guarded.refusal(call, HERE, role))).isEqualTo(403);
        }
    }

    @Test
    void acceptsItsOwnPageAndLinksToIt() {
        assertThat(status(open.refusal(
                        call("Origin", "http://127.0.0.1:9090", "Sec-Fetch-Site", "same-origin"), HERE, Role.OPERATE)))
                .isEqualTo(200);
        assertThat(status(open.refusal(call("Origin", "https://127.0.0.1:9090"), HERE, Role.OPERATE)))
                .isEqualTo(200);
        assertThat(status(open.refusal(
                        call("Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"), HERE, Role.VIEW)))
                .isEqualTo(200);
    }

    @Test
    void eachTokenHasItsRole() {
        for (String scheme : List.of("Bearer ", "bearer ", "BEARER  ")) {
            assertThat(status(guarded.refusal(call("Authorization", scheme + TOKEN), ELSEWHERE, Role.OPERATE)))
                    .isEqualTo(200);
            assertThat(status(guarded.refusal(call("Authorization", scheme + VIEW), ELSEWHERE, Role.VIEW)))
                    .isEqualTo(200);
            assertThat(status(guarded.refusal(call("Authorization", scheme + VIEW), ELSEWHERE, Role.OPERATE)))
                    .isEqualTo(403);
        }
        assertThat(status(guarded.refusal(call("Authorization", basic("me:" + TOKEN)), HERE, Role.OPERATE)))
                .isEqualTo(200);
        assertThat(status(guarded.refusal(call("Authorization", basic(":" + VIEW)), HERE, Role.VIEW)))
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Bearer",
                "Bearer ",
                "Bearer 0123456789abcdeF",
                "Bearer 0123456789abcde",
                "Bearer null",
                "Basic !",
                "Basic ",
                "Basic OjAxMjM0NTY3ODlhYmNkZUY=",
                "0123456789abcdef",
                "Digest 0123456789abcdef"
            })
    void othersGet401EvenFromThisMachine(String field) {
        HttpAnswer refusal = guarded.refusal(call("Authorization", field), HERE, Role.VIEW);
        assertThat(status(refusal)).isEqualTo(401);
        assertThat(field(refusal, "WWW-Authenticate")).startsWith("Basic realm=");
    }

    @Test
    void anAddressWithManyWrongTokensGets429AndOthersDoNot() {
        HttpCall wrong = call("Authorization", "Bearer x");
        for (int i = 0; i < 20; i++) {
            assertThat(status(guarded.refusal(wrong, ELSEWHERE, Role.VIEW))).isEqualTo(401);
        }
        HttpAnswer refusal = guarded.refusal(wrong, ELSEWHERE, Role.VIEW);
        assertThat(status(refusal)).isEqualTo(429);
        assertThat(field(refusal, "Retry-After")).matches("[1-9]");
        assertThat(status(guarded.refusal(wrong, HERE, Role.VIEW))).isEqualTo(401);
        assertThat(status(guarded.refusal(call("Authorization", "Bearer " + TOKEN), ELSEWHERE, Role.VIEW)))
                .isEqualTo(200);
    }

    @Test
    void theNameOfACallerHasNoToken() {
        assertThat(guarded.name(ELSEWHERE)).isEqualTo("192.0.2.7 with the token");
        assertThat(open.name(HERE)).isEqualTo("127.0.0.1");
    }
}
