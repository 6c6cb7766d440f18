package dev.penstock.gateway.kafka;

import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.Rule;
import dev.penstock.gateway.status.StatusSetup;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.Transport;
import dev.penstock.gateway.transport.TransportContext;
import java.util.List;

/** Topics of Kafka as source and target. */
public final class KafkaTransport implements Transport {
    @Override
    public List<Key<? extends From>> sources() {
        return List.of(KafkaReader.FROM);
    }

    @Override
    public List<Key<? extends To>> targets() {
        return List.of(KafkaReader.TO);
    }

    @Override
    public String withoutPool(String key) {
        return "Kafka's client has one connection to each broker";
    }

    @Override
    public List<Rule<?>> rules() {
        return KafkaRules.ALL;
    }

    @Override
    public void ask(FlowConfig flow, ConfigProblems problems) {
        if (flow.from() instanceof KafkaFrom from) {
            from.topic().ask(from.isShared(), from.deadLetterTopic(), problems);
        }
        if (flow.to() instanceof KafkaTo to) {
            to.topic().ask(false, to.topic().name().value(), problems);
        }
    }

    @Override
    public Binder bind(TransportContext context) {
        return new Binder() {
            @Override
            public TargetBinding target(FlowConfig flow, FlowBuilder<Object> stages) {
                context.dedupe(flow, stages);
                return KafkaFlow.of(flow, stages, StatusSetup.inFlight(flow, context.config(), context.store()));
            }

            @Override
            public List<SourceBinding> sources(List<TargetBinding> flows) {
                return flows.stream()
                        .<SourceBinding>map(flow -> TopicSource.of(flow, context))
                        .toList();
            }
        };
    }
}
