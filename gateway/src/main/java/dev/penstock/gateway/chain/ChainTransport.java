package dev.penstock.gateway.chain;

import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Source;
import dev.penstock.Target;
import dev.penstock.flow.Flow;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.ConfigValue;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Rule;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.Transport;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.http.HttpAnswer;
import dev.penstock.http.HttpCall;
import dev.penstock.http.source.BadInput;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Another flow of the same gateway as the target: tiers, each with its own stages. */
public final class ChainTransport implements Transport {
    private static final String KEY = "flow";

    @Override
    public List<Key<? extends To>> targets() {
        return List.of(Key.of(
                KEY, KeyType.text("the name of a flow", ChainTransport::to), "another flow, which then needs no from"));
    }

    private static @Nullable ChainTo to(ConfigValue value) {
        String name = value.text();
        return name == null ? null : new ChainTo(Configured.fromFile(name, value.location()));
    }

    @Override
    public String withoutPool(String key) {
        return "a flow in the same process needs no connections";
    }

    @Override
    public List<Rule<?>> rules() {
        return List.of(Rule.fileError("chained flows exist, and form no circle", "to.flow", ChainTransport::chains));
    }

    private static void chains(GatewayConfig config, ConfigProblems problems) {
        List<String> names = config.flows().stream().map(FlowConfig::name).toList();
        for (FlowConfig flow : config.flows()) {
            if (!(flow.to() instanceof ChainTo to)) {
                continue;
            }
            if (!names.contains(to.flow())) {
                problems.add(
                        to.name().location(),
                        "'to.flow' is " + to.flow() + ", which is not a flow of this file; flows: "
                                + String.join(", ", names));
            } else if (returnsTo(flow, config)) {
                problems.add(
                        to.name().location(),
                        "flow '" + flow.name() + "' calls itself, through '" + to.flow()
                                + "'; flows must not form a circle");
            }
        }
    }

    private static boolean returnsTo(FlowConfig flow, GatewayConfig config) {
        String next = flow.to().flow();
        for (int steps = 0; next != null && steps < config.flows().size(); steps++) {
            if (next.equals(flow.name())) {
                return true;
            }
            String name = next;
            next = config.flows().stream()
                    .filter(other -> other.name().equals(name))
                    .findFirst()
                    .map(other -> other.to().flow())
                    .orElse(null);
        }
        return false;
    }

    @Override
    public Binder bind(TransportContext context) {
        return new ChainBinder(context);
    }

    /** What the flow file says about the target. */
    private record ChainTo(Configured<String> name) implements To {
        @Override
        public String kind() {
            return KEY;
        }

        @Override
        public String flow() {
            return name.value();
        }

        @Override
        public boolean canBeQueried() {
            return true;
        }

        @Override
        public boolean isInProcess() {
            return true;
        }

        @Override
        public String toString() {
            return "flow " + name.value();
        }
    }

    private record ChainBinder(TransportContext context) implements Binder {
        @Override
        public TargetBinding target(FlowConfig flow, FlowBuilder<Object> stages) {
            context.dedupe(flow, stages);
            ChainTarget target =
                    new ChainTarget((ChainTo) flow.to(), flow.from().base(), context.bound());
            Flow<HttpCall, HttpAnswer> built = stages.to(target);
            boolean sendsIds = context.config().last(flow).to().hasIds();
            return new ChainFlow(
                    flow,
                    built,
                    target,
                    sendsIds ? new TransactionIds().before(built, flow.from().hasIds()) : built);
        }

        @Override
        public List<SourceBinding> sources(List<TargetBinding> flows) {
            return flows.stream().<SourceBinding>map(flow -> new Callers()).toList();
        }
    }

    /** A flow to another one. All attempts of a transaction that enters a queue later have its id. */
    private record ChainFlow(
            FlowConfig config,
            Flow<HttpCall, HttpAnswer> flow,
            ChainTarget target,
            Service<HttpCall, HttpAnswer> service)
            implements TargetBinding {}

    /**
     * Calls a flow.
     *
     * @param base the base path of the requests, which the flow called does not know
     * @param flows all flows, by name; complete when the first request comes
     */
    private record ChainTarget(ChainTo to, String base, Map<String, TargetBinding> flows, Setting setting)
            implements Target<HttpCall, HttpAnswer> {
        ChainTarget(ChainTo to, String base, Map<String, TargetBinding> flows) {
            this(
                    to,
                    base,
                    flows,
                    new Setting(
                            "flow", to.flow(), "a flow", "each request is passed to it", Instant.now(), Origin.FILE));
        }

        @Override
        public HttpAnswer call(HttpCall call) throws Exception {
            TargetBinding next = flows.get(to.flow());
            if (next == null) {
                throw new Rejected(Rejected.Cause.DRAINING, "flow " + to.flow() + " is not there yet");
            }
            Service<HttpCall, HttpAnswer> service = next.service();
            try {
                return service.call(base.equals("/") ? call : call.onPath(below(call.path())));
            } catch (BadInput wrong) {
                throw Failed.refused(
                        Failed.Refusal.VALUE,
                        "flow " + to.flow() + " refused the request: " + wrong.getMessage(),
                        wrong);
            }
        }

        private String below(String path) throws Failed {
            if (!path.startsWith(base)) {
                throw new Failed(Failed.Cause.REFUSED, "the path " + path + " is not below " + base);
            }
            String rest = path.substring(base.length());
            return rest.startsWith("/") ? rest : "/" + rest;
        }

        @Override
        public String where() {
            return to.toString();
        }

        @Override
        public List<Setting> settings() {
            return List.of(setting);
        }

        @Override
        public void close() {}
    }

    /** The source of a flow that only other flows call. */
    private record Callers() implements Source, SourceBinding {
        @Override
        public Source source() {
            return this;
        }

        @Override
        public String where() {
            return "other flows";
        }

        @Override
        public List<Setting> settings() {
            return List.of();
        }

        @Override
        public void start() {}

        @Override
        public void stopAccepting() {}

        @Override
        public void close() {}
    }
}
