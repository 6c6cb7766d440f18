package dev.penstock.gateway.transport;

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
import dev.penstock.gateway.config.Rule;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One way into flows, or out of them, such as HTTP. The gateway finds its transports with {@link java.util.ServiceLoader},
 * so a jar may bring its own: a class with a public constructor without parameters, named in {@code
 * META-INF/services/dev.penstock.gateway.transport.Transport}. An implementation has no state; a {@link Binder} has.
 *
 * <p>Inside the gateway every request is an {@code HttpCall} and every answer an {@code HttpAnswer}. A transport converts
 * at the edge.
 */
public interface Transport {
    /** Its keys in {@code from}; empty if it has no sources. */
    default List<Key<? extends From>> sources() {
        return List.of();
    }

    /** Its keys in {@code to}; empty if it has no targets. */
    default List<Key<? extends To>> targets() {
        return List.of();
    }

    /**
     * Why {@code pool} does not apply to a target; null if it does.
     *
     * @param key the key of the target
     */
    default @Nullable String withoutPool(String key) {
        return "'to." + key + "' has no connection pool";
    }

    /**
     * What {@code collapse} is, which batches requests; null if the target cannot.
     *
     * @param key the key of the target
     */
    default @Nullable KeyType<? extends CollapseKind> collapse(String key) {
        return null;
    }

    /** What must hold between its keys and others. A rule about a flow is checked for the flows of other transports too. */
    default List<Rule<?>> rules() {
        return List.of();
    }

    /** Asks the other side of a flow whether it has what the flow needs. Opens connections, and closes them. */
    default void ask(FlowConfig flow, ConfigProblems problems) {}

    /** The settings that all its flows share. */
    default List<Setting> settings(GatewayConfig config) {
        return List.of();
    }

    /**
     * Prepares the flows of one gateway.
     *
     * @throws IOException what its flows share cannot start; the message names it and says what to do
     */
    Binder bind(TransportContext context) throws IOException;

    /**
     * Prepares the changed flows of a gateway that has read its file again. Those that did not change keep their sources and targets.
     *
     * @param before of the flows until then; what it has open can be shared, and is not closed by both
     * @throws IOException the change needs a restart; the message says why
     */
    default Binder rebind(TransportContext context, Binder before) throws IOException {
        return bind(context);
    }

    /** Builds sources and targets of one gateway, and keeps what they share. Not thread-safe. */
    interface Binder extends AutoCloseable {
        /**
         * Builds a target and its flow. Opens nothing that a plan must not open.
         *
         * @param stages the stages of the flow, to be completed with the target
         */
        default TargetBinding target(FlowConfig flow, FlowBuilder<Object> stages) {
            throw new UnsupportedOperationException("no targets");
        }

        /**
         * Builds the sources of all flows that come from this transport. Several flows may share one source. Opens
         * nothing: the gateway starts the sources.
         *
         * @return one for each flow, in the same order
         */
        default List<SourceBinding> sources(List<TargetBinding> flows) {
            throw new UnsupportedOperationException("no sources");
        }

        /**
         * As above, for a gateway that has read its file again.
         *
         * @param flows all flows that come from this transport
         * @param kept the sources of those that did not change, by name; they are returned as they are
         * @return one for each flow, in the same order
         * @throws IOException the change needs a restart; the message says why
         */
        default List<SourceBinding> sources(List<TargetBinding> flows, Map<String, SourceBinding> kept)
                throws IOException {
            List<TargetBinding> changed = flows.stream()
                    .filter(flow -> !kept.containsKey(flow.config().name()))
                    .toList();
            Map<String, SourceBinding> all = new HashMap<>(kept);
            List<SourceBinding> built = changed.isEmpty() ? List.of() : sources(changed);
            for (int i = 0; i < built.size(); i++) {
                all.put(changed.get(i).config().name(), built.get(i));
            }
            return flows.stream()
                    .map(flow -> Objects.requireNonNull(all.get(flow.config().name())))
                    .toList();
        }

        /** Sends requests of sources that run already to the flows of this binder from now on. Does not fail. */
        default void activate() {}

        /** Why what the flows share does not work, in one line; null when it does. Thread-safe. */
        default @Nullable String outage() {
            return null;
        }

        /** Closes what the flows share, after all sources and targets. */
        @Override
        default void close() {}
    }
}
