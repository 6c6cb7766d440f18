package dev.penstock.gateway.status;

import dev.penstock.IdempotencyStore;
import dev.penstock.StateFile;
import dev.penstock.fleet.FleetStore;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.gateway.config.StoreConfig;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.guard.GuardedDataSourceBuilder;
import dev.penstock.jdbc.store.JdbcIdempotencyStore;
import dev.penstock.jdbc.store.PostgresFleetStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency store of a gateway: the keys of dedupe, and the outcomes of transactions that pass a queue. Opens
 * nothing before {@link #open}. Not thread-safe.
 */
public final class GatewayStore implements AutoCloseable {
    /** Contains a dot, which flow names do not, so it cannot collide with the database of a flow. */
    private static final String FILE = ".keys";

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration BORROW_TIMEOUT = Duration.ofSeconds(4);

    private final GatewayConfig config;
    private final StateFile learned;
    private volatile @Nullable IdempotencyStore used;
    private @Nullable PostgresFleetStore fleet;
    private boolean opened;

    /**
     * The store of a gateway.
     *
     * @param learned the contents of the state file
     */
    public GatewayStore(GatewayConfig config, StateFile learned) {
        this.config = config;
        this.learned = learned;
    }

    /** Whether any flow stores keys or outcomes beside the state file. */
    public static boolean isBesideState(GatewayConfig config) {
        return config.store().value() instanceof StoreConfig.Embedded
                && config.flows().stream()
                        .anyMatch(flow -> flow.dedupe() != null || StatusSetup.of(flow, config) != null);
    }

    /** The store, which is opened with the gateway once a flow has asked for it. */
    public IdempotencyStore get() {
        IdempotencyStore store = used;
        if (store == null) {
            store = create();
            used = store;
        }
        return store;
    }

    private IdempotencyStore create() {
        return switch (config.store().value()) {
            case StoreConfig.Embedded embedded -> JdbcIdempotencyStore.inFile(config.besideState(FILE));
            case StoreConfig.Database database ->
                JdbcIdempotencyStore.lazily(() -> source(database), database.table(), database.where());
        };
    }

    /** Where the gateways of a fleet meet, in a database. */
    public FleetStore fleet() {
        PostgresFleetStore known = fleet;
        if (known == null) {
            if (!(config.store().value() instanceof StoreConfig.Database database)) {
                throw new IllegalStateException("a fleet without a database");
            }
            known = new PostgresFleetStore(() -> source(database));
            fleet = known;
        }
        return known;
    }

    private GuardedDataSource source(StoreConfig.Database database) {
        GuardedDataSourceBuilder source = GuardedDataSource.at(database.url())
                .max(JdbcIdempotencyStore.CONNECTIONS)
                .connectTimeout(CONNECT_TIMEOUT)
                .borrowTimeout(BORROW_TIMEOUT)
                .state(learned);
        Secret user = database.user();
        if (user != null) {
            source.user(user);
        }
        Secret password = database.password();
        if (password != null) {
            source.password(password);
        }
        return source.build();
    }

    /** Connects, so that a gateway without its store does not start. */
    public void open() throws IOException {
        IdempotencyStore store = used;
        if (store != null && !opened) {
            try {
                store.open();
                opened = true;
            } catch (Exception cannot) {
                throw new IOException(
                        "cannot open the idempotency store " + store.where() + ": " + cannot.getMessage()
                                + "; check store in the flow file",
                        cannot);
            }
        }
    }

    /** Why the store does not work, as far as it is known in this process. Thread-safe. */
    public Optional<String> outage() {
        return Optional.ofNullable(used).map(IdempotencyStore::outage);
    }

    /** To be called after the flows ended, because they write their endings here. */
    @Override
    public void close() {
        IdempotencyStore store = used;
        if (store != null) {
            store.close();
        }
        if (fleet != null) {
            fleet.close();
        }
    }
}
