package dev.penstock.gateway.status;

import dev.penstock.IdempotencyStore;
import dev.penstock.StateFile;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.DedupeConfig.DedupeStore;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.config.StatusConfig;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.guard.GuardedDataSourceBuilder;
import dev.penstock.jdbc.store.JdbcIdempotencyStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency stores of a gateway, one for each configured store. Opens nothing before {@link #open}. Not
 * thread-safe.
 */
public final class IdempotencyStores implements AutoCloseable {
    /** Contains a dot, which flow names do not, so it cannot collide with the database of a flow. */
    private static final String FILE = ".keys";

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration BORROW_TIMEOUT = Duration.ofSeconds(4);

    private final Path state;
    private final StateFile learned;
    private final Map<DedupeStore, IdempotencyStore> stores = new LinkedHashMap<>();

    /**
     * The stores of a gateway.
     *
     * @param state the path of the state file
     * @param learned the contents of the state file
     */
    public IdempotencyStores(Path state, StateFile learned) {
        this.state = state;
        this.learned = learned;
    }

    /** Whether any flow stores keys or outcomes beside the state file. */
    public static boolean anyBesideState(GatewayConfig config) {
        return config.flows().stream().anyMatch(flow -> {
            DedupeConfig dedupe = flow.dedupe();
            StatusConfig.Stored status = StatusSetup.of(flow, config);
            return (dedupe != null && dedupe.store().value() instanceof DedupeStore.Embedded)
                    || (status != null && status.store().value() instanceof DedupeStore.Embedded);
        });
    }

    /** The dedupe store of a flow; null when it has none. */
    @Nullable
    public IdempotencyStore of(FlowConfig flow) {
        DedupeConfig dedupe = flow.dedupe();
        return dedupe == null ? null : at(dedupe.store().value());
    }

    /** The idempotency store of a configured store. */
    public IdempotencyStore at(DedupeStore store) {
        return stores.computeIfAbsent(store, this::create);
    }

    private IdempotencyStore create(DedupeStore store) {
        return switch (store) {
            case DedupeStore.Embedded embedded ->
                JdbcIdempotencyStore.inFile(state.resolveSibling(state.getFileName() + FILE));
            case DedupeStore.Database database ->
                JdbcIdempotencyStore.lazily(() -> source(database), database.table(), database.where());
        };
    }

    private GuardedDataSource source(DedupeStore.Database database) {
        GuardedDataSourceBuilder source = GuardedDataSource.at(database.url())
                .max(JdbcIdempotencyStore.CONNECTIONS)
                .connectTimeout(CONNECT_TIMEOUT)
                .borrowTimeout(BORROW_TIMEOUT)
                .state(learned);
        String user = database.user();
        if (user != null) {
            source.user(user);
        }
        Secret password = database.password();
        if (password != null) {
            source.password(password.value());
        }
        return source.build();
    }

    /** Connects to all stores, so that a gateway without its stores does not start. */
    public void open() throws IOException {
        for (IdempotencyStore store : stores.values()) {
            try {
                store.open();
            } catch (Exception cannot) {
                throw new IOException(
                        "cannot open the idempotency store " + store.where() + ": " + cannot.getMessage()
                                + "; check dedupe.store or status.store in the flow file",
                        cannot);
            }
        }
    }

    /** Why stores of this process do not work, a line each. Thread-safe. */
    public Stream<String> outages() {
        return List.copyOf(stores.values()).stream()
                .map(IdempotencyStore::outage)
                .filter(Objects::nonNull);
    }

    /** Closes all stores. To be called after the flows ended, because they write their endings here. */
    @Override
    public void close() {
        stores.values().forEach(IdempotencyStore::close);
    }
}
