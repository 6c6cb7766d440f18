package dev.penstock.gateway.kafka;

import dev.penstock.Service;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.Rule;
import dev.penstock.gateway.status.InFlightStatus;
import dev.penstock.gateway.status.StatusSetup;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.Transport;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Topics of Kafka as source and target. */
public final class KafkaTransport implements Transport {
    private static final long SHORTEST_MILLIS = 1_000;
    private static final long LONGEST_MILLIS = 3_600_000;

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

    /** A flow to a topic. Each request gets an id, by which consumers recognize a record that was sent again. */
    private record KafkaFlow(
            FlowConfig config,
            Flow<HttpCall, HttpAnswer> flow,
            TopicTarget target,
            Service<HttpCall, HttpAnswer> service)
            implements TargetBinding {
        static KafkaFlow of(FlowConfig config, FlowBuilder<Object> stages, @Nullable InFlightStatus status) {
            KafkaTo to = (KafkaTo) config.to();
            TopicTarget target = new TopicTarget(
                    to.builder().timeout(timeout(config)).build(), config.from().base(), to.key(), status);
            Flow<HttpCall, HttpAnswer> flow = stages.to(target);
            Service<HttpCall, HttpAnswer> service = InFlightStatus.around(flow, status);
            return new KafkaFlow(
                    config,
                    flow,
                    target,
                    new TransactionIds().before(service, config.from().hasIds()));
        }

        /** What is not in the topic by the deadline should not get there much later. */
        private static Duration timeout(FlowConfig config) {
            long millis = config.deadline().value().toMillis();
            return Duration.ofMillis(Math.clamp(millis, SHORTEST_MILLIS, LONGEST_MILLIS));
        }
    }
}
