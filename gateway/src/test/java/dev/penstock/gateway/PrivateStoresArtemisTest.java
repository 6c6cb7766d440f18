package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.StateFile;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.file.FlowFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a gateway writes is for its own user only, and a gateway with a store that others can read does not start. */
@Timeout(120)
class PrivateStoresArtemisTest {
    private static final String FILE = """
            flows:
              accept:
                from: { http: { port: 0, path: /pay } }
                to: { jms: { url: embedded, queue: payments } }
                dedupe: { key: Idempotency-Key }
              store:
                from: { http: { port: 0, path: /store } }
                to: { jdbc: { url: embedded, statement: "select 1", reads: true } }
              work:
                from: { jms: { url: embedded, queue: payments, key: JMSMessageID } }
                to: { http: { url: "http://127.0.0.1:9/" } }
                retry: { attempts: 3 }
            """;

    @TempDir
    Path folder;

    @Test
    void everyStoreIsPrivateAndCheckedAtTheStart() throws Exception {
        Path file = Files.writeString(folder.resolve("f.yaml"), FILE);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path state = folder.resolve("penstock-state");
        Gateway.start(FlowFile.read(file).config()).close();
        StateFile.at(state).keep("a", "1");
        List<Path> stores;
        try (var all = Files.list(folder)) {
            stores = all.filter(path -> !path.equals(file)).sorted().toList();
        }
        assertThat(stores)
                .extracting(path -> path.getFileName().toString())
                .contains(
                        "penstock-state",
                        "penstock-state.broker",
                        "penstock-state.keys.db",
                        "penstock-state-store.mv.db");
        assertThat(FlowFile.read(file).config().flows()).hasSize(3);
        for (Path store : stores) {
            String own = Files.isDirectory(store) ? "rwx------" : "rw-------";
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(store)))
                    .as(store.toString())
                    .isEqualTo(own);
            Files.setPosixFilePermissions(store, PosixFilePermissions.fromString("rwxr-xr-x"));
            assertThatThrownBy(() -> FlowFile.read(file), store.toString())
                    .isInstanceOf(BadConfig.class)
                    .hasMessage(
                            file + ":1:1: a store of this gateway is " + store + ", which other users can read; chmod "
                                    + (Files.isDirectory(store) ? "700 " : "600 ") + store);
            Files.setPosixFilePermissions(store, PosixFilePermissions.fromString(own));
        }
    }
}
