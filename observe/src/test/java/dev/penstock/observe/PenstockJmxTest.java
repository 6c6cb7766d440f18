package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.flow.Flow;
import java.lang.management.ManagementFactory;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.Test;

/** As a tool sees it: by the MBean server. */
class PenstockJmxTest {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    private final Flow<String, String> flow =
            Flow.named("jmx-flow").adaptiveConcurrency().to(call -> "done");

    private static ObjectName name(String suffix) throws Exception {
        return new ObjectName("dev.penstock:type=Flow,name=jmx-flow" + suffix);
    }

    @Test
    void showsAndPins() throws Exception {
        try (Binding registered = PenstockJmx.register(flow)) {
            assertThat(registered).isNotNull();
            flow.call("");
            CompositeData accounting = (CompositeData) server.getAttribute(name(""), "Accounting");
            assertThat(accounting.get("answered")).isEqualTo(1L);
            assertThat(accounting.get("inFlight")).isEqualTo(0L);
            PenstockJmx.FlowMXBean bean = JMX.newMXBeanProxy(server, name(""), PenstockJmx.FlowMXBean.class);
            assertThat(bean.pin("limit", "7")).startsWith("7: pinned by JMX at");
            assertThat(flow.capacity()).isEqualTo(7);
            assertThat(bean.getSettings().get("limit")).startsWith("7: pinned");
            assertThat(bean.unpin("limit")).startsWith("7: starting from");
            assertThatThrownBy(() -> bean.pin("limit", "many"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("limit");
            assertThat(bean.getBottleneck()).isNotBlank();
            assertThat(bean.getConnections()).isEmpty();
        }
        assertThat(server.isRegistered(name(""))).isFalse();
    }

    @Test
    void takenNameGetsAnInstance() throws Exception {
        Binding first = PenstockJmx.register(flow);
        Binding second = PenstockJmx.register(flow);
        assertThat(server.isRegistered(name(",instance=2"))).isTrue();
        first.close();
        assertThat(server.isRegistered(name(""))).isFalse();
        second.close();
        second.close();
        assertThat(server.isRegistered(name(",instance=2"))).isFalse();
    }
}
