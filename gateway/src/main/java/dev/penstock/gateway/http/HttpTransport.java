package dev.penstock.gateway.http;

import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.CollapseKind;
import dev.penstock.gateway.config.ConfigProblems;
import dev.penstock.gateway.config.Configured;
import dev.penstock.gateway.config.FileLocation;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.FlowConfig.To;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Rule;
import dev.penstock.gateway.transport.SourceBinding;
import dev.penstock.gateway.transport.TargetBinding;
import dev.penstock.gateway.transport.Transport;
import dev.penstock.gateway.transport.Transport.Binder;
import dev.penstock.gateway.transport.TransportContext;
import dev.penstock.http.pool.ConnectionTotal;
import dev.penstock.http.pool.HostLookup;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** HTTP as source and target. */
public final class HttpTransport implements Transport {
    private static final Duration LOOKUP = Duration.ofSeconds(5);

    @Override
    public List<Key<? extends From>> sources() {
        return List.of(HttpReader.FROM);
    }

    @Override
    public List<Key<? extends To>> targets() {
        return List.of(HttpReader.TO);
    }

    @Override
    public @Nullable String withoutPool(String key) {
        return null;
    }

    @Override
    public KeyType<? extends CollapseKind> collapse(String key) {
        return HttpCollapse.TYPE;
    }

    @Override
    public List<Rule<?>> rules() {
        return HttpRules.ALL;
    }

    @Override
    public void ask(FlowConfig flow, ConfigProblems problems) {
        if (flow.to() instanceof HttpTo to && to.proxy() == null) {
            to.urls().forEach(url -> ask(url.getHost(), to.url().location(), problems));
        }
    }

    private static void ask(String host, FileLocation where, ConfigProblems problems) {
        try {
            new HostLookup(host.replaceAll("[\\[\\]]", "")).resolve(LOOKUP.toNanos());
        } catch (IOException unknown) {
            problems.add(where, "unknown host " + host + "; check the name or the DNS server");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Binder bind(TransportContext context) {
        Configured<Integer> total = context.config().poolTotal();
        return new HttpBinder(
                context, total == null ? null : ConnectionTotal.of(total.value()), HttpSources.first(context));
    }

    @Override
    public Binder rebind(TransportContext context, Binder before) {
        HttpBinder running = (HttpBinder) before;
        return new HttpBinder(context, running.total, running.sources.next(context));
    }

    /**
     * Binds the flows over HTTP.
     *
     * @param total the bound on the connections of all targets; null for none
     */
    private record HttpBinder(
            TransportContext context, @Nullable ConnectionTotal total, HttpSources sources) implements Binder {
        @Override
        public TargetBinding target(FlowConfig flow, FlowBuilder<Object> stages) {
            context.dedupe(flow, stages);
            return flow.to().endpoints() == 1
                    ? HttpFlow.of(flow, stages, total, context.config().callerHeaders(flow))
                    : BalancedFlow.of(flow, stages, context.learned(), total);
        }

        @Override
        public List<SourceBinding> sources(List<TargetBinding> flows, Map<String, SourceBinding> kept)
                throws IOException {
            return sources.of(flows, kept);
        }

        @Override
        public void activate() {
            sources.activate();
        }
    }
}
