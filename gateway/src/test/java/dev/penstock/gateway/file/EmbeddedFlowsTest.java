package dev.penstock.gateway.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.flow.Flow;
import dev.penstock.gateway.Gateway;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.LimitConfig;
import dev.penstock.gateway.file.EmbeddedFlows.Property;
import dev.penstock.gateway.transport.Transports;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Properties are read as a flow file, and name their origin in errors. */
class EmbeddedFlowsTest {
    private static final EmbeddedFlows FLOWS = new EmbeddedFlows("shop", Transports.load());

    private final List<Property> properties = new ArrayList<>();
    private final Map<String, String> variables = new HashMap<>();

    EmbeddedFlowsTest() {
        given(1, "flows.payments.to.http.url", "http://127.0.0.1:1/v1");
    }

    private void given(int source, String name, String value) {
        properties.add(new Property(List.of(name.split("\\.", -1)), value, "file " + source, source));
    }

    private FlowConfig payments() throws BadConfig {
        return FLOWS.read(properties, variables::get).config().flows().getFirst();
    }

    @Test
    void formsOfOtherProgramsStandForTheKeys() throws Exception {
        given(1, "flows.payments.to.http.headers.X-Shop-Id", "7");
        given(1, "flows.payments.pool.connectTimeout", "1s");
        given(1, "flows.payments.pool.response-timeout", "2s");
        assertThat(payments().to().pool().connectTimeout()).isNotNull();
        assertThat(payments().to().pool().responseTimeout()).isNotNull();
    }

    @Test
    void theFirstOfTwoValuesCounts() throws Exception {
        properties.clear();
        given(0, "flows.payments.limit", "7");
        given(0, "flows.payments.retry.answers.[0]", "429");
        given(1, "flows.payments.to.http.url", "http://127.0.0.1:1/v1");
        given(1, "flows.payments.limit.max", "40");
        given(1, "flows.payments.retry.answers.[0]", "500");
        given(1, "flows.payments.retry.answers.[1]", "503");
        assertThat(payments().limit()).isInstanceOf(LimitConfig.Fixed.class);
        assertThat(payments().retry())
                .isNotNull()
                .satisfies(retry -> assertThat(retry.answers()).containsExactly(429));
    }

    @Test
    void errorsBeginWithThePropertyAndItsOrigin() {
        given(1, "flows.payments.retry.atempts", "3");
        given(2, "flows.payments.queue.time", "${shop.wait}");
        given(3, "flows.orders.deadline", "1s");
        variables.put("shop.wait", "soon");
        assertThatThrownBy(this::payments).hasMessage("""
                        shop.flows.payments.retry.atempts (file 1): unknown key 'atempts' in retry; did you mean 'attempts'?
                        shop.flows.payments.queue.time (file 2): 'queue.time' is "${shop.wait}" filled in, which is not a duration; \
                        write a number and a unit, for instance 200ms, 2s, 5m or 1h
                        shop.flows.orders (file 3): flow 'orders' has no 'to'; add for instance to: { http: { url: \
                        "https://gateway.example/v1" } }""");
    }

    @Test
    void aPropertyThatIsNotSetIsMissed() {
        given(1, "flows.payments.deadline", "${shop.time}");
        assertThatThrownBy(this::payments)
                .hasMessageStartingWith("shop.flows.payments.deadline (file 1): variable shop.time is not set; ");
    }

    @Test
    void noPropertiesAreNoFlows() throws Exception {
        properties.clear();
        assertThat(FLOWS.read(properties, variables::get).config().flows()).isEmpty();
    }

    @Test
    void anEmbeddedGatewayRunsFlowsWithoutSourcesAndKeepsNothing() throws Exception {
        try (Gateway gateway = Gateway.embed(
                FLOWS.read(properties, variables::get).config(),
                FLOWS.transports(),
                (name, stages) -> stages.concurrency(name.length()))) {
            Flow<?, ?> payments = gateway.flow("payments");
            assertThat(payments.settings())
                    .anySatisfy(setting ->
                            assertThat(setting.name() + " " + setting.value()).isEqualTo("limit 8"));
            assertThatThrownBy(() -> gateway.flow("orders")).hasMessage("there is no flow orders");
            assertThat(gateway.whileCurrent(() -> "built")).isEqualTo("built");
        }
    }
}
