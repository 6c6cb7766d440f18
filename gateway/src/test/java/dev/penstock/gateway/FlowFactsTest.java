package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.file.Written;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlowFactsTest {
    private static final String TWO = """
            flows:
              pay:
                from: { http: { port: 8080, path: /pay } }
                to: { http: { url: "http://one.example" } }
              ship:
                from: { http: { port: 8080, path: /ship } }
                to: { http: { url: "http://two.example" } }
            """;

    private static final String CHAIN = """
            flows:
              outer:
                from: { http: { port: 8080, path: /pay } }
                to: { flow: inner }
              inner:
                to: { jms: { url: embedded, queue: orders } }
              carry:
                from: { jms: { url: embedded, queue: orders } }
                to: { http: { url: "http://two.example" } }
            """;

    @TempDir
    Path folder;

    private FlowFile read(String yaml) throws Exception {
        return new Written(folder).read(yaml);
    }

    private Set<String> unchanged(String before, String now) throws Exception {
        FlowFile first = read(before);
        return FlowFacts.unchanged(first, read(now));
    }

    @Test
    void aFlowWithTheSameKeysIsUnchangedWhereverItIs() throws Exception {
        assertThat(unchanged(TWO, "shutdown: { drain: 5s }\n\n" + TWO)).containsExactlyInAnyOrder("pay", "ship");
        assertThat(unchanged(TWO, TWO + "    deadline: 3s\n")).containsExactly("pay");
        assertThat(unchanged(TWO, TWO.replace("ship:", "send:"))).containsExactly("pay");
    }

    @Test
    void aFlowThatSharesALimitChangesWithThat() throws Exception {
        String shared = TWO.replace("two.example", "one.example");
        assertThat(unchanged(TWO, shared)).isEmpty();
        assertThat(unchanged(shared, shared + "    deadline: 3s\n")).containsExactly("pay");
        assertThat(unchanged(shared, shared + "    limit: 3\n")).isEmpty();
    }

    @Test
    void aFlowChangesWithWhatItIsToldAboutOthers() throws Exception {
        assertThat(unchanged(CHAIN, CHAIN + "    deadline: 3s\n")).containsExactlyInAnyOrder("outer", "inner");
        assertThat(unchanged(CHAIN, CHAIN.replace("inner:", "inner:\n    status: off")))
                .isEmpty();
        assertThat(unchanged(TWO, TWO + """
                  named:
                    from: { http: { port: 8081, path: /named, auth: { jwt: { issuer: "https://id.example/", audience: a, jwks: "https://id.example/jwks.json" } } } }
                    to: { http: { url: "http://three.example" } }
                """)).isEmpty();
    }

    private void check(String before, String now) throws Exception {
        FlowFile first = read(before);
        FlowFile second = read(now);
        ReloadRules.check(
                first.keys().changes(second.keys()),
                first.config(),
                second.config(),
                FlowFacts.unchanged(first, second));
    }

    @Test
    void targetsAreProvedUnlessTheFileLeavesThatOut() throws Exception {
        assertThat(read(TWO).config().proves()).isTrue();
        assertThat(read("reload: { prove: off }\n" + TWO).config().proves()).isFalse();
        assertThat(new Written(folder).errors("reload: { prove: maybe }\n" + TWO))
                .singleElement()
                .asString()
                .contains("write on or off");
    }

    @Test
    void whatNeedsARestartIsRefused() throws Exception {
        check(TWO, "shutdown: { drain: 5s }\nreload: { prove: off }\n" + TWO);
        assertThatThrownBy(() -> check(TWO, "state: elsewhere\n" + TWO))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "state: added, elsewhere; restart to apply it: this change cannot be made while the gateway runs");
        String udp = """
                flows:
                  log:
                    from: { udp: { port: 9000 } }
                    to: { udp: { url: "udp://127.0.0.1:9001", id: header } }
                """;
        assertThatThrownBy(() -> check(udp, udp + "    deadline: 3s\n"))
                .hasMessageContaining("flow log receives datagrams");
    }
}
