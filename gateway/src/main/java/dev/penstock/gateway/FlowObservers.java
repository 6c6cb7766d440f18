package dev.penstock.gateway;

import dev.penstock.Observation.Observer;
import dev.penstock.flow.FlowBuilder;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.TelemetryConfig;
import dev.penstock.gateway.config.TransactionsConfig;
import dev.penstock.gateway.config.TransactionsConfig.To;
import dev.penstock.gateway.status.CurrentTransaction;
import dev.penstock.gateway.status.TransactionIds;
import dev.penstock.gateway.telemetry.Telemetry;
import dev.penstock.http.HttpCall;
import dev.penstock.observe.Observers;
import dev.penstock.observe.RequestDetails;
import dev.penstock.observe.TransactionLog;
import java.io.IOException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What follows the transactions of a gateway. Each may be null for none.
 *
 * @param traces sends traces
 * @param records keeps records
 */
record FlowObservers(
        GatewayConfig config,
        @Nullable Telemetry traces,
        @Nullable TransactionLog records) implements AutoCloseable {
    /**
     * What the file asks for.
     *
     * @throws IOException as {@link Telemetry#start}
     */
    static FlowObservers open(GatewayConfig config) throws IOException {
        TelemetryConfig traced = config.telemetry();
        return new FlowObservers(config, traced == null ? null : Telemetry.start(traced), log(config));
    }

    private static @Nullable TransactionLog log(GatewayConfig config) {
        TransactionsConfig records = config.transactions();
        if (records == null || !config.keepsRecords()) {
            return null;
        }
        return records.to().value() == To.STDOUT
                ? TransactionLog.toStream(System.out, records.sample().value())
                : TransactionLog.toFile(
                        config.transactionsFile(), records.sample().value());
    }

    /** The same for the flows of a file that was read again. */
    FlowObservers of(GatewayConfig changed) {
        return new FlowObservers(changed, traces, records);
    }

    /** Follows the transactions of a flow, if the file asks for it. */
    void observe(FlowConfig flow, FlowBuilder<Object> stages) {
        Observer observer = of(flow);
        if (observer != null) {
            stages.observer(observer);
        }
    }

    private @Nullable Observer of(FlowConfig flow) {
        Observer traced = traces == null ? null : traces.observer(flow);
        if (records == null) {
            return traced;
        }
        Observer recorded = records.observer(new CallDetails(config.callerHeaders(flow), flow.keyName()));
        return traced == null ? recorded : Observers.all(traced, recorded);
    }

    /** Sends and writes what is left. Idempotent. */
    @Override
    public void close() {
        if (traces != null) {
            traces.close();
        }
        if (records != null) {
            records.close();
        }
    }

    private record CallDetails(
            Set<String> callerHeaders, @Nullable String keyHeader) implements RequestDetails {
        @Override
        public @Nullable String id(@Nullable Object request) {
            String id = CurrentTransaction.id();
            return id != null || !(request instanceof HttpCall call)
                    ? id
                    : call.headers().first(TransactionIds.HEADER);
        }

        @Override
        public @Nullable String caller(@Nullable Object request) {
            return !(request instanceof HttpCall call)
                    ? null
                    : callerHeaders.stream()
                            .map(call.headers()::first)
                            .filter(Objects::nonNull)
                            .findFirst()
                            .orElse(null);
        }

        @Override
        public @Nullable String key(@Nullable Object request) {
            return keyHeader != null && request instanceof HttpCall call ? call.key(keyHeader) : null;
        }
    }
}
