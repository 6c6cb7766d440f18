package dev.penstock.jms.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Unanswered;
import dev.penstock.jms.JmsBroker;
import dev.penstock.jms.JmsMessage;
import dev.penstock.jms.JmsTarget;
import dev.penstock.jms.broker.EmbeddedBroker;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Large messages of which the broker has lost the end, or everything, because its disk was full. */
@Timeout(120)
class DamagedMessageArtemisTest {
    @TempDir
    Path folder;

    @Test
    void damagedMessagesBecomeDeadLettersAndOthersGoOn() throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.in(folder);
                JmsTarget target =
                        JmsTarget.at(JmsBroker.at(broker.localUrl())).queue("q").build()) {
            target.call(JmsMessage.text("a".repeat(300_000)));
            target.call(JmsMessage.bytes(new byte[300_000]));
            target.call(JmsMessage.text("b".repeat(300_000)));
            target.call(JmsMessage.text("small"));
        }
        truncate(List.of(100_000L, 100_000L, 0L));
        Queue<String> processed = new ConcurrentLinkedQueue<>();
        Queue<Unanswered> ended = new ConcurrentLinkedQueue<>();
        try (EmbeddedBroker broker = EmbeddedBroker.in(folder);
                JmsSource source = source(broker)
                        .onEnded(new Endings(ended))
                        .to(
                                message -> {
                                    processed.add(message.text());
                                    return "done";
                                },
                                () -> 10)) {
            source.start();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
            while ((broker.count("q") > 0 || broker.count("dead") < 3) && System.nanoTime() < end) {
                LockSupport.parkNanos(1_000_000);
            }
            assertThat(processed).containsExactly("small");
            assertThat(broker.count("dead")).isEqualTo(3);
            assertThat(broker.count("q")).isZero();
            assertThat(source.outage()).isNull();
            assertThat(ended)
                    .hasSize(3)
                    .allSatisfy(
                            why -> assertThat(why)
                                    .hasMessageMatching(
                                            "the message cannot be read: its broker has only \\d+ of the \\d+ bytes of its body"));
        }
    }

    private static JmsSourceBuilder source(EmbeddedBroker broker) {
        return JmsSource.at(JmsBroker.at(broker.localUrl()))
                .queue("q")
                .key(JmsMessage.MESSAGE_ID)
                .deadLetter("dead");
    }

    private record Endings(Queue<Unanswered> unanswered) implements JmsSource.Ended {
        @Override
        public void ended(
                JmsMessage message,
                @org.jspecify.annotations.Nullable Object answer,
                @org.jspecify.annotations.Nullable Unanswered why) {
            if (why != null) {
                unanswered.add(why);
            }
        }
    }

    /** Cuts the files of the large messages, in the order they were sent. */
    private void truncate(List<Long> sizes) throws Exception {
        try (Stream<Path> bodies = Files.list(folder.resolve("large-messages"))) {
            List<Path> inOrder = bodies.sorted().toList();
            assertThat(inOrder).hasSameSizeAs(sizes);
            for (int index = 0; index < sizes.size(); index++) {
                try (FileChannel body = FileChannel.open(inOrder.get(index), StandardOpenOption.WRITE)) {
                    FileChannel _ = body.truncate(sizes.get(index));
                }
            }
        }
    }
}
