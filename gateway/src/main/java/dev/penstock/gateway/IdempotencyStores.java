package dev.penstock.gateway;

import dev.penstock.dedupe.IdempotencyStore;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.DedupeStore;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.config.StatusConfig;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.guard.GuardedDataSourceBuilder;
import dev.penstock.jdbc.store.JdbcIdempotencyStore;
import dev.penstock.state.StateFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ledgers of the flows of a gateway, one for each store that they name. Opens nothing by itself. For one thread. */
final class IdempotencyStores implements AutoCloseable {
    /** With a dot, which no name of a flow has: databases of flows stand beside it. */
    private static final String FILE = ".keys";

    private static final Duration CONNECTING = Duration.ofSeconds(2);
    private static final Duration BORROWING = Duration.ofSeconds(4);

    private final Path state;
    private final StateFile learned;
    private final Map<DedupeStore, IdempotencyStore> ledgers = new LinkedHashMap<>();

    /**
     * Ledgers of a gateway.
     *
     * @param state where its state file is
     * @param learned that file, read
     */
    IdempotencyStores(Path state, StateFile learned) {
        this.state = state;
        this.learned = learned;
    }

    /** Whether any flow keeps keys or endings beside the state file. */
    static boolean anyBesideState(GatewayConfig config) {
        return config.flows().stream().anyMatch(flow -> {
            DedupeConfig dedupe = flow.dedupe();
            StatusConfig.Kept status = StatusSetup.of(flow, config);
            return (dedupe != null && dedupe.store().value() instanceof DedupeStore.Embedded)
                    || (status != null && status.store().value() instanceof DedupeStore.Embedded);
        });
    }

    /** That of a flow; null when it has none. */
    @Nullable
    IdempotencyStore of(FlowConfig flow) {
        DedupeConfig dedupe = flow.dedupe();
        return dedupe == null ? null : at(dedupe.store().value());
    }

    /** That of a store. */
    IdempotencyStore at(DedupeStore store) {
        return ledgers.computeIfAbsent(store, this::ledger);
    }

    private IdempotencyStore ledger(DedupeStore store) {
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
                .connectTimeout(CONNECTING)
                .borrowTimeout(BORROWING)
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

    /** Connects to all of them, so that a gateway that could send nothing does not start. */
    void open() throws IOException {
        for (IdempotencyStore ledger : ledgers.values()) {
            try {
                ledger.open();
            } catch (Exception cannot) {
                throw new IOException(
                        "keys cannot be kept in " + ledger.where() + ": " + cannot.getMessage()
                                + "; mend its store in the file, or whatever keeps it from opening",
                        cannot);
            }
        }
    }

    /** Closes them: last of all, since endings are written down there. */
    @Override
    public void close() {
        ledgers.values().forEach(IdempotencyStore::close);
    }
}
