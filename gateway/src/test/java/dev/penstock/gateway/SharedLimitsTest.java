package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Setting;
import dev.penstock.StateFile;
import dev.penstock.flow.Flow;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.file.FlowFile;
import dev.penstock.gateway.status.GatewayStore;
import dev.penstock.gateway.transport.StartGate;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.gateway.transport.Transports;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which flows of a file share a limit. */
class SharedLimitsTest {
    private static final String DATABASE = "jdbc:postgresql://127.0.0.1:1/penstock";
    private static final String FLEET = "rate: { fleet: 90/s }";

    @TempDir
    private Path folder;

    @Test
    void flowsToOneTargetShareALimit() throws Exception {
        List<Flow<?, ?>> flows = flows("", "deadline: 5s");
        assertThat(limit(flows.get(0)).reason()).startsWith("shared by 2 flows: ");
        flows.get(0).pin("limit", "17", "a test");
        assertThat(limit(flows.get(1)).value()).isEqualTo("17");
    }

    @Test
    void flowsWithEqualBoundsShareALimit() throws Exception {
        Setting limit = limit(
                flows("limit: { min: 2, max: 9 }", "limit: { min: 2, max: 9 }").getLast());
        assertThat(limit.reason()).startsWith("shared by 2 flows: ");
        assertThat(limit.range()).isEqualTo("2..9");
    }

    @Test
    void flowsWithDifferentBoundsHaveSeparateLimitsAndSayWhy() throws Exception {
        for (String other : List.of("limit: 50", "limit: { min: 2, max: 9 }", "queue: { length: 0 }")) {
            List<Flow<?, ?>> flows = flows("", other);
            flows.get(0).pin("limit", "7", "a test");
            assertThat(limit(flows.get(1)).value()).isNotEqualTo("7");
            assertThat(limit(flows.get(1)).reason()).contains("; not shared with flow one to the same target: ");
        }
    }

    @Test
    void flowsToDifferentTargetsHaveSeparateLimits() throws Exception {
        List<Flow<?, ?>> flows = flows("http://127.0.0.1:1/a", "", "http://127.0.0.1:1/b", "");
        assertThat(flows).allSatisfy(flow -> assertThat(limit(flow).reason()).doesNotContain("shared"));
    }

    @Test
    void sharedLimitStartsFromLimitLearnedByEarlierProcess() throws Exception {
        StateFile.at(state()).keep(StateFile.name("limit:@http://127.0.0.1:1/"), "37");
        List<Flow<?, ?>> flows = flows("", "");
        assertThat(limit(flows.get(1)).value()).isEqualTo("37");
        assertThat(limit(flows.get(1)).origin()).isEqualTo(Setting.Origin.LEARNED);
    }

    @Test
    void aBatchFlowKeepsItsBoundOfConcurrentBatches() throws Exception {
        String insert = "to: { jdbc: { url: '%s', statement: 'insert into t(i) values (:i)' } }".formatted(DATABASE);
        String send = "to: { jms: { url: 'tcp://127.0.0.1:1', queue: q } }";
        for (String to : List.of(insert, send)) {
            String batches = to + "\n    collapse: auto";
            List<Flow<?, ?>> flows = read("store: { url: '%s' }".formatted(DATABASE), batches, "", batches, FLEET);
            assertThat(flows).allSatisfy(flow -> assertThat(limit(flow).range()).isEqualTo("1..4"));
        }
    }

    private Path state() {
        return folder.resolve("state");
    }

    private List<Flow<?, ?>> flows(String ofOne, String ofTwo) throws Exception {
        return flows("http://127.0.0.1:1/", ofOne, "http://127.0.0.1:1/", ofTwo);
    }

    private List<Flow<?, ?>> flows(String toOne, String ofOne, String toTwo, String ofTwo) throws Exception {
        String to = "to: { http: { url: '%s' } }";
        return read("", to.formatted(toOne), ofOne, to.formatted(toTwo), ofTwo);
    }

    private List<Flow<?, ?>> read(String top, String toOne, String ofOne, String toTwo, String ofTwo) throws Exception {
        Path file = Files.writeString(
                folder.resolve("flows.yaml"), """
                state: "%s"
                %s
                flows:
                  one:
                    from: { http: { port: 8080, path: /one } }
                    %s
                    %s
                  two:
                    from: { http: { port: 8080, path: /two } }
                    %s
                    %s
                """.formatted(state(), top, toOne, ofOne, toTwo, ofTwo));
        GatewayConfig config = FlowFile.read(file).config();
        return Gateway.memory(config).whileCurrent(() -> {
            StateFile learned = StateFile.at(config.state().value());
            try (GatewayStore store = new GatewayStore(config, learned)) {
                BoundFlows bound = BoundFlows.of(
                        new TransportContext(config, learned, store, new StartGate(), true),
                        Transports.load(),
                        (_, _) -> {},
                        null);
                bound.closeTargets();
                return bound.flows().stream()
                        .<Flow<?, ?>>map(flow -> flow.target().flow())
                        .toList();
            }
        });
    }

    private static Setting limit(Flow<?, ?> flow) {
        return flow.settings().stream()
                .filter(setting -> setting.name().equals("limit"))
                .findFirst()
                .orElseThrow();
    }
}
