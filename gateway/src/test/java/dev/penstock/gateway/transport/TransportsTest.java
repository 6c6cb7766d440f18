package dev.penstock.gateway.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.FlowConfig.From;
import dev.penstock.gateway.config.Key;
import dev.penstock.gateway.config.KeyType;
import dev.penstock.gateway.config.Schema;
import dev.penstock.gateway.file.FlowFile;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finds the transports of the class path. */
class TransportsTest {
    @TempDir
    private Path folder;

    /** A transport with a key that another has. */
    public static final class SecondUdp implements Transport {
        @Override
        public List<Key<? extends From>> sources() {
            return List.of(Key.of("udp", KeyType.text("any", _ -> null), "datagrams"));
        }

        @Override
        public Binder bind(TransportContext context) {
            return new Binder() {};
        }
    }

    @Test
    void findsKeysInOrderAndReservesTargetsThatAreNoSources() {
        Transports transports = Transports.load();
        assertThat(names(transports.targets("")))
                .containsExactly("http", "jdbc", "jms", "kafka", "udp", "replace", "flow");
        assertThat(names(transports.sources(""))).containsExactly("http", "jms", "kafka", "udp");
        assertThat(transports.sources("").refusal("jdbc"))
                .isEqualTo("this version of Penstock does not support 'jdbc'; remove it");
        assertThat(transports.ofTarget("replace")).isSameAs(transports.ofSource("udp"));
    }

    private static List<String> names(Schema schema) {
        return schema.keys().stream().map(Key::name).toList();
    }

    @Test
    void rejectsTwoTransportsWithOneKey() throws Exception {
        assertThatThrownBy(() -> with(SecondUdp.class.getName(), Transports::load))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("two transports have the key 'udp' in 'from'; remove the jar of one");
    }

    @Test
    void reportsTransportThatCannotBeLoadedAsAProblemOfTheFile() throws Exception {
        Path file = Files.writeString(folder.resolve("f.yaml"), "flows: {}\n");
        assertThatThrownBy(() -> with("no.such.Transport", () -> FlowFile.read(file)))
                .isInstanceOf(BadConfig.class)
                .hasMessageStartingWith(file + ": a transport cannot be loaded: ")
                .hasMessageContaining("no.such.Transport")
                .hasMessageEndingWith("; put all jars it needs beside it, in versions for Java 25");
    }

    /** Calls with one more transport in the class path of this thread. */
    private <T> T with(String provider, Callable<T> work) throws Exception {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.write(services.resolve(Transport.class.getName()), List.of(provider));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader more = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(more);
            return work.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
