package dev.penstock.gateway.jms;

import dev.penstock.Setting;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.CollapseKind;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.PlainCollapse;
import dev.penstock.gateway.config.Rule;
import dev.penstock.gateway.status.StatusSetup;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.Transport;
import dev.penstock.gateway.transport.Transport.Binder;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.jms.JmsBatch;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsClient;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Queues and topics of JMS brokers as source and target. */
public final class JmsTransport implements Transport {
    private static final KeyType<PlainCollapse> COLLAPSE = PlainCollapse.type(JmsBatch.AT_ONCE);

    @Override
    public List<Key<? extends From>> sources() {
        return List.of(JmsReader.FROM);
    }

    @Override
    public List<Key<? extends To>> targets() {
        return List.of(JmsReader.TO);
    }

    @Override
    public String withoutPool(String key) {
        return "a queue uses a few connections of its own";
    }

    @Override
    public KeyType<? extends CollapseKind> collapse(String key) {
        return COLLAPSE;
    }

    @Override
    public List<Rule<?>> rules() {
        return JmsRules.ALL;
    }

    @Override
    public void ask(FlowConfig flow, ConfigProblems problems) {
        if (flow.from() instanceof JmsFrom from) {
            ask(from.endpoint(), problems);
        }
        if (flow.to() instanceof JmsTo to) {
            ask(to.endpoint(), problems);
        }
    }

    /** Not for failover, which tries its addresses for as long as it likes. */
    private static void ask(JmsEndpoint endpoint, ConfigProblems problems) {
        JmsBroker broker = Brokers.planned().of(endpoint);
        if (endpoint.isEmbedded() || broker.where().startsWith("failover")) {
            return;
        }
        try (JmsClient client = broker.receiving(1)) {
            client.open().close();
        } catch (JMSException cannot) {
            problems.add(
                    endpoint.address().location(),
                    "no connection to " + broker.where() + ": " + cannot.getMessage()
                            + "; check the URL, the user and the password");
        }
    }

    @Override
    public List<Setting> settings(GatewayConfig config) {
        return Brokers.settings(config);
    }

    @Override
    public Binder bind(TransportContext context) throws IOException {
        return new JmsBinder(context, context.isPlan() ? Brokers.planned() : Brokers.start(context.config()));
    }

    @Override
    public Binder rebind(TransportContext context, Binder before) throws IOException {
        Brokers running = ((JmsBinder) before).brokers;
        if (running.embedded() == null && JmsEndpoint.anyEmbedded(context.config())) {
            throw new IOException("a flow uses the embedded broker, which is not started; restart to start it");
        }
        return new JmsBinder(context, running);
    }

    private record JmsBinder(TransportContext context, Brokers brokers) implements Binder {
        @Override
        public TargetBinding target(FlowConfig flow, FlowBuilder<Object> stages) {
            context.dedupe(flow, stages);
            return JmsFlow.of(flow, stages, brokers, StatusSetup.inFlight(flow, context.config(), context.store()));
        }

        @Override
        public List<SourceBinding> sources(List<TargetBinding> flows) {
            return flows.stream()
                    .<SourceBinding>map(flow -> QueueSource.of(
                            flow, brokers.of(((JmsFrom) flow.config().from()).endpoint()), context))
                    .toList();
        }

        @Override
        public @Nullable String outage() {
            return brokers.outage();
        }

        @Override
        public void close() {
            brokers.close();
        }
    }
}
