package dev.penstock.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.gateway.admin.PinAccess.Caller;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PinAccessTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
    private static final InetAddress ELSEWHERE = InetAddress.ofLiteral("192.0.2.7");

    private final PinAccess open = new PinAccess(null);
    private final PinAccess guarded = new PinAccess(() -> TOKEN);

    private static Caller caller(String host, String origin, String site) {
        return new Caller(HERE, host, origin, site, "", false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:9090", "127.0.0.1", "localhost:9090", "LocalHost", "[::1]:9090", "127.1.2.3:80"})
    void acceptsPinByToolOnThisMachine(String host) {
        assertThat(open.refusal(caller(host, "", ""))).isNull();
        assertThat(guarded.refusal(caller(host, "", ""))).isNull();
    }

    @Test
    void acceptsPinByOwnPage() {
        assertThat(open.refusal(caller("127.0.0.1:9090", "http://127.0.0.1:9090", "same-origin")))
                .isNull();
        assertThat(open.refusal(caller("localhost:9090", "http://LOCALHOST:9090", "none")))
                .isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:9090, http://evil.example, ''",
        "127.0.0.1:9090, http://127.0.0.1:8080, ''",
        "127.0.0.1:9090, https://127.0.0.1:9090, ''",
        "127.0.0.1:9090, null, ''",
        "127.0.0.1:9090, '', cross-site",
        "127.0.0.1:9090, '', same-site",
        "127.0.0.1:9090, http://127.0.0.1:9090, cross-site"
    })
    void rejectsPinByPageOfAnotherSite(String host, String origin, String site) {
        assertThat(open.refusal(caller(host, origin, site))).startsWith("a page of another site cannot pin");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example:9090",
                "evil.example",
                "",
                "127.0.0.1.evil.example",
                "localhost.evil.example:9090",
                "192.0.2.7:9090",
                "0.0.0.0:9090",
                "127.0.0.1:9090@evil.example",
                "127.0.0.1 evil"
            })
    void rejectsPinByForeignHostName(String host) {
        assertThat(open.refusal(caller(host, "http://" + host, "same-origin")))
                .startsWith("the Host header does not name this machine");
    }

    @Test
    void rejectsPinFromOtherMachinesAndThroughAProxy() {
        String line = "settings can only be pinned from this machine without a proxy: do that, or ";
        assertThat(open.refusal(new Caller(ELSEWHERE, "127.0.0.1", "", "", "", false)))
                .isEqualTo(line + "set admin.token in the flow file and send it as Authorization: Bearer");
        assertThat(guarded.refusal(new Caller(HERE, "127.0.0.1", "", "", "", true)))
                .isEqualTo(line + "send Authorization: Bearer with the admin.token of the flow file");
        assertThat(open.refusal(new Caller(null, "127.0.0.1", "", "", "", false)))
                .startsWith(line);
    }

    @Test
    void acceptsPinWithTokenFromAnywhere() {
        Caller caller = new Caller(ELSEWHERE, "gateway.example:9090", "", "", "bearer " + TOKEN, true);
        assertThat(guarded.refusal(caller)).isNull();
        assertThat(caller.name()).isEqualTo("192.0.2.7 with the token").doesNotContain(TOKEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer 0123456789abcdeF", "Bearer ", "Bearer 0123456789abcde", "Bearer null"})
    void rejectsWrongTokenEvenFromThisMachine(String field) {
        Caller caller = new Caller(HERE, "127.0.0.1", "", "", field, false);
        assertThat(guarded.refusal(caller)).startsWith("wrong token");
        assertThat(open.refusal(caller)).startsWith("wrong token");
    }
}
