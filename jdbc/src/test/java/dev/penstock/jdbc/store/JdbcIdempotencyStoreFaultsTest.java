package dev.penstock.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Ticker;
import dev.penstock.Unknown;
import dev.penstock.kit.ManualTicker;
import dev.penstock.supervise.Supervisor;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/** An Error of a driver, or an interrupt that it causes, ends only one task of the store. */
@Timeout(120)
class JdbcIdempotencyStoreFaultsTest {
    private final Supervisor supervisor = Supervisor.create();

    @TempDir
    Path folder;

    @Test
    void fileIsWrittenAfterTheDriverInterruptedItsThread() throws Exception {
        try (FileDatabase database = supervisor.whileCurrent(
                () -> new FileDatabase(folder.resolve("keys"), new KeyTable(KeyTable.DEFAULT_NAME), Ticker.SYSTEM))) {
            assertThat(database.<Integer>commit((connection, rows, now) -> {
                        Thread.currentThread().interrupt();
                        return 1;
                    }))
                    .isEqualTo(1);

            assertThat(database.<Integer>commit((connection, rows, now) -> 2)).isEqualTo(2);
            assertThat(supervisor.faults()).containsEntry("key-store", 1L);
        }
        assertThat(supervisor.down()).isEmpty();
    }

    @Test
    void fileIsWrittenAfterTheDriverThrewAnError() throws Exception {
        try (FileDatabase database =
                new FileDatabase(folder.resolve("keys"), new KeyTable(KeyTable.DEFAULT_NAME), Ticker.SYSTEM)) {
            assertThatThrownBy(() -> database.<Integer>commit((connection, rows, now) -> {
                        throw new StackOverflowError();
                    }))
                    .isInstanceOf(Unknown.class);
            assertThat(database.<Integer>commit((connection, rows, now) -> 2)).isEqualTo(2);
        }
    }

    @Test
    void sweepsAgainAfterAnError() throws Exception {
        ManualTicker ticker = new ManualTicker();
        AtomicInteger sweeps = new AtomicInteger();
        SQLiteDataSource file = new SQLiteDataSource();
        file.setUrl("jdbc:sqlite:" + folder.resolve("swept.db"));
        DataSource failing = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                    if (Thread.currentThread().getName().equals("penstock-key-sweep")
                            && sweeps.incrementAndGet() == 1) {
                        throw new NoClassDefFoundError("com/example/Gone");
                    }
                    return method.invoke(file, args);
                });
        try (JdbcIdempotencyStore store =
                supervisor.whileCurrent(() -> JdbcIdempotencyStore.on(failing, "keys", ticker))) {
            store.release("none", 1);
            while (supervisor.faults().getOrDefault("key-store-sweep", 0L) < 1) {
                Thread.onSpinWait();
            }
            while (sweeps.get() < 2) {
                ticker.advance(Duration.ofSeconds(KeySweeper.SECONDS));
                store.release("none", 1);
            }
            assertThat(supervisor.faults()).containsEntry("key-store-sweep", 1L);
        }
    }
}
