package dev.penstock.jms.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Answered;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import dev.penstock.jms.JmsBatch;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.source.JmsSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class EmbeddedBrokerArtemisTest {
    private static final String HOST = "127.0.0.1";

    @TempDir
    private Path folder;

    @Test
    void reportsAFolderInUseAndOpensItAfterwards() throws Exception {
        try (EmbeddedBroker _ = EmbeddedBroker.in(folder)) {
            assertThatThrownBy(() -> EmbeddedBroker.start(folder, null, 0, null, 50))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(
                            "another broker uses the folder; configure a folder that no other broker uses");
        }
        EmbeddedBroker.in(folder).close();
    }

    private static String permissions(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    @Test
    void onlyTheUserMayReadTheJournal() throws Exception {
        Path journal = folder.resolve("state/made");
        EmbeddedBroker.in(journal).close();
        assertThat(permissions(folder.resolve("state"))).isEqualTo("rwx------");
        assertThat(permissions(journal)).isEqualTo("rwx------");
        Files.setPosixFilePermissions(journal, PosixFilePermissions.fromString("rwxr-xr-x"));
        try (EmbeddedBroker _ = EmbeddedBroker.in(journal);
                Stream<Path> all = Files.walk(journal)) {
            assertThat(all)
                    .hasSizeGreaterThan(5)
                    .allSatisfy(path -> assertThat(permissions(path))
                            .as(path.toString())
                            .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
        }
    }

    @Test
    void requiresTheLoginIfAUserIsConfigured() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.on(folder, HOST, 0, "penstock", () -> "s3cret")) {
            for (String url : List.of(broker.url(), broker.localUrl())) {
                assertThatThrownBy(() -> send(JmsBroker.at(url))).hasMessageContaining("rejected the login");
                assertThatThrownBy(() -> send(JmsBroker.at(url).user("penstock", "guess")))
                        .hasMessageContaining("rejected the login");
                send(JmsBroker.at(url).user("penstock", "s3cret"));
            }
            assertThat(broker.count("q")).isEqualTo(2);
        }
    }

    @Test
    void aNewConnectionUsesTheLoginOfThatTime() throws Exception {
        AtomicReference<String> secret = new AtomicReference<>("first");
        try (EmbeddedBroker broker = EmbeddedBroker.on(folder, HOST, 0, "penstock", secret::get)) {
            JmsBroker following = JmsBroker.at(broker.url()).user(() -> "penstock", secret::get);
            send(following);
            secret.set("second");
            send(following);
            assertThatThrownBy(() -> send(JmsBroker.at(broker.url()).user("penstock", "first")))
                    .hasMessageContaining("rejected the login");
        }
    }

    private static void send(JmsBroker at) throws Exception {
        try (JmsTarget target = JmsTarget.at(at).queue("q").build()) {
            target.call(JmsMessage.text("m"));
        }
    }

    @Test
    void reportsAPortInUseAndFreesTheFolder() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            assertThatThrownBy(() -> EmbeddedBroker.on(folder, HOST, taken.getLocalPort()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("to 127.0.0.1:" + taken.getLocalPort())
                    .hasMessageEndingWith("and a free port");
        }
        EmbeddedBroker.in(folder).close();
    }

    private static void await(BooleanSupplier reached) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (!reached.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Without the folder for large messages, as on a disk without room, one cannot be stored. */
    @Test
    void startsAgainAfterAnIoErrorAndKeepsWhatItConfirmed() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.in(folder);
                JmsTarget target =
                        JmsTarget.at(JmsBroker.at(broker.localUrl())).queue("q").build()) {
            target.call(JmsMessage.text("confirmed"));
            assertThat(broker.outage(0)).isNull();
            Files.delete(folder.resolve("large-messages"));
            assertThatThrownBy(() -> target.call(JmsMessage.text("z".repeat(300_000))))
                    .isInstanceOf(Unknown.class);
            assertThat(broker.faults()).isEqualTo(1);
            await(() -> broker.outage(0) == null && isSent(target, "again"));
            target.call(JmsMessage.text("z".repeat(300_000)));
            await(() -> broker.count("q") == 3); // it counts a message soon after it has confirmed it
            assertThat(broker.faults()).isEqualTo(1);
        }
    }

    @Test
    void emptiedQueuesGiveTheirDiskSpaceBack() throws Exception {
        List<String> queues = List.of("a", "b", "c", "d");
        try (EmbeddedBroker broker = EmbeddedBroker.in(folder)) {
            JmsBroker at = JmsBroker.at(broker.localUrl());
            List<JmsMessage> messages = Collections.nCopies(230, JmsMessage.bytes(new byte[90_000]));
            for (String queue : queues) { // each in memory: otherwise they are not in the journal but in pages
                try (JmsBatch batch =
                        JmsBatch.over(JmsTarget.at(at).queue(queue).build())) {
                    assertThat(batch.call(messages).get(0)).isInstanceOf(Answered.class);
                }
            }
            assertThat(journalFiles()).isGreaterThan(EmbeddedBroker.JOURNAL_POOL + 3);
            for (String queue : queues) {
                try (JmsSource source =
                        JmsSource.at(at).queue(queue).key(JmsMessage.MESSAGE_ID).to(message -> "done", () -> 100)) {
                    source.start();
                    await(() -> broker.count(queue) == 0 && source.inFlight() == 0);
                }
            }
            await(() -> {
                broker.freeDisk();
                return journalFiles() <= EmbeddedBroker.JOURNAL_POOL;
            });
        }
    }

    private long journalFiles() {
        try (Stream<Path> all = Files.list(folder.resolve("journal"))) {
            return all.filter(file -> file.toFile().length() == 10 << 20).count();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private static boolean isSent(JmsTarget target, String text) {
        try {
            target.call(JmsMessage.text(text));
            return true;
        } catch (Unanswered notYet) {
            return false;
        }
    }

    @Test
    void refusesMessagesThatLeaveTooLittleRoomOnTheDisk() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.in(folder)) {
            assertThat(broker.outage(folder.toFile().getUsableSpace()))
                    .startsWith("the embedded broker accepts no messages, because the disk of " + folder + " has ")
                    .endsWith(" MB free, and it keeps 32 MB free");
            assertThat(broker.outage(0)).isNull();
        }
    }
}
