package dev.penstock.jms.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.jms.kit.ChildJvm;
import dev.penstock.kit.program.Programs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.api.core.ActiveMQBuffers;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.io.IOCallback;
import org.apache.activemq.artemis.core.io.SequentialFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CheckedFilesTest {
    private static final Path FULL = Path.of("/dev/full");
    private static final int LIMIT_KB = 100;

    @TempDir
    Path folder;

    private final AtomicInteger faults = new AtomicInteger();

    private CheckedFiles files(boolean buffered) throws Exception {
        return new CheckedFiles(
                folder.toFile(), buffered, 1, new ConfigurationImpl(), new DiskFault(faults::incrementAndGet), null);
    }

    /** A file on a disk that has no room. */
    private SequentialFile full(CheckedFiles files) throws Exception {
        assumeTrue(Files.isWritable(FULL), "there is no " + FULL);
        Files.createSymbolicLink(folder.resolve("full"), FULL);
        SequentialFile full = files.createSequentialFile("full");
        full.open();
        return full;
    }

    @Test
    void afterAFailedWriteNothingIsConfirmedAnyMore() throws Exception {
        CheckedFiles files = files(false);
        SequentialFile good = files.createSequentialFile("good");
        good.open();
        good.writeDirect(ByteBuffer.allocateDirect(8), true);
        SequentialFile full = full(files);
        assertThatThrownBy(() -> full.writeDirect(ByteBuffer.allocateDirect(8), false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("No space left on device");
        assertThat(faults).hasValue(1);
        assertThatThrownBy(good::sync).hasMessageContaining("a write failed: No space left on device");
        assertThatThrownBy(() -> good.blockingWriteDirect(ByteBuffer.allocate(8), false, false))
                .hasMessageContaining("a write failed");
        full.close(false, false);
        good.close(false, false);
        assertThat(faults).hasValue(1);
    }

    /** Artemis itself reports such a write to the sender as stored. */
    @Test
    void journalReportsAFailedWriteToItsWriter() throws Exception {
        CheckedFiles files = files(true);
        files.start();
        SequentialFile full = full(files);
        files.activateBuffer(full);
        CompletableFuture<String> told = new CompletableFuture<>();
        full.write(ActiveMQBuffers.wrappedBuffer(new byte[100]), true, new IOCallback() {
            @Override
            public void done() {
                told.complete("stored");
            }

            @Override
            public void onError(int code, String message) {
                told.complete(message);
            }
        });
        assertThat(told.get(60, TimeUnit.SECONDS)).contains("No space left on device");
        files.stop();
        full.close(false, false);
    }

    /** In a process with a limit for the size of its files, a write across it stores a part, as on a disk that gets full. */
    @Test
    void writeThatStoresOnlyAPartFails() throws Exception {
        String bash = Programs.path("bash");
        List<String> command = new ArrayList<>(List.of(bash, "-c", "ulimit -f " + LIMIT_KB + "; exec \"$@\"", "bash"));
        command.addAll(ChildJvm.command(List.of(), PartialWrites.class, folder + ""));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output).contains("JDK: " + LIMIT_KB * 1024 + " of").contains("whole: File too large");
    }

    /** Prints how writes of the JDK and of {@link CheckedFiles} end. */
    static final class PartialWrites {
        public static void main(String[] args) throws Exception {
            ByteBuffer more = ByteBuffer.allocateDirect(2 * LIMIT_KB * 1024);
            Path folder = Path.of(args[0]);
            Path path = folder.resolve("file");
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                System.out.println("JDK: " + file.write(more) + " of " + more.capacity());
            }
            more.clear();
            SequentialFile checked = new CheckedFiles(
                            folder.toFile(), false, 1, new ConfigurationImpl(), new DiskFault(() -> {}), null)
                    .createSequentialFile("file");
            checked.open();
            try {
                checked.writeDirect(more, false);
            } catch (IOException failed) {
                System.out.println("whole: " + failed.getMessage());
            }
        }
    }
}
