package dev.penstock.gateway;

import dev.penstock.dedupe.KeyLedger;
import dev.penstock.gateway.config.DedupeConfig;
import dev.penstock.gateway.config.DedupeStore;
import dev.penstock.gateway.config.FlowConfig;
import dev.penstock.gateway.config.GatewayConfig;
import dev.penstock.gateway.config.Secret;
import dev.penstock.jdbc.guard.GuardedDataSource;
import dev.penstock.jdbc.guard.GuardedDataSourceBuilder;
import dev.penstock.jdbc.ledger.JdbcKeyLedger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The ledgers of the flows of a gateway, one for each store that they name. Opens nothing. For one thread. */
final class KeyStores {
    private static final String FILE = "keys";
    private static final Duration CONNECTING = Duration.ofSeconds(2);
    private static final Duration BORROWING = Duration.ofSeconds(4);

    private final Path state;
    private final Map<DedupeStore, KeyLedger> ledgers = new HashMap<>();

    /** Ledgers of a gateway whose state is in this folder. */
    KeyStores(Path state) {
        this.state = state;
    }

    /** Whether any flow keeps its keys in the state folder. */
    static boolean anyIn(GatewayConfig config) {
        return config.flows().stream()
                .map(FlowConfig::dedupe)
                .anyMatch(dedupe -> dedupe != null && dedupe.store().value() instanceof DedupeStore.Embedded);
    }

    @Nullable
    KeyLedger of(@Nullable DedupeConfig dedupe) {
        return dedupe == null ? null : ledgers.computeIfAbsent(dedupe.store().value(), this::ledger);
    }

    private KeyLedger ledger(DedupeStore store) {
        return switch (store) {
            case DedupeStore.Embedded embedded -> JdbcKeyLedger.inFile(state.resolve(FILE));
            case DedupeStore.Database database ->
                JdbcKeyLedger.lazily(() -> source(database), database.table(), database.where());
        };
    }

    private static GuardedDataSource source(DedupeStore.Database database) {
        GuardedDataSourceBuilder source = GuardedDataSource.at(database.url())
                .max(JdbcKeyLedger.CONNECTIONS)
                .connectTimeout(CONNECTING)
                .borrowTimeout(BORROWING);
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
}
