package dev.penstock.kafka.source;

import dev.penstock.kafka.KafkaCluster;
import dev.penstock.kafka.KafkaRecord;
import dev.penstock.kit.program.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A process with a source, to be killed. It prints each value when it is processed; those that end with 0 never are. */
final class KilledSource {
    private KilledSource() {}

    /** The arguments: bootstrap servers, topic, group, and {@code share} for a share group. */
    public static void main(String[] args) throws Exception {
        boolean isShared = args.length > 3;
        KafkaCluster cluster = KafkaCluster.at(args[0]);
        KafkaSourceBuilder built = KafkaSource.at(isShared ? cluster : cluster.with("session.timeout.ms", "6000"))
                .topic(args[1], args[2]);
        KafkaSource source = (isShared ? built.shared() : built)
                .key(KafkaSource.ID)
                .to(KilledSource::value, KilledSource::process, () -> 500);
        source.start();
        new CountDownLatch(1).await();
    }

    /** Starts the process; its output goes to a file. */
    static Process start(Path output, String... args) throws IOException {
        return start(KilledSource.class, output, args);
    }

    static Process start(Class<?> main, Path output, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(args));
        return Programs.started(command, output);
    }

    /** The values that it has processed. */
    static List<String> done(Path output) {
        try {
            return Files.readAllLines(output).stream()
                    .filter(line -> line.startsWith("done "))
                    .map(line -> line.substring(5))
                    .toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static String value(KafkaRecord record) {
        return new String(record.value(), StandardCharsets.UTF_8);
    }

    private static String process(String value) throws InterruptedException {
        if (value.endsWith("0")) {
            new CountDownLatch(1).await();
        }
        System.out.println("done " + value);
        return value;
    }
}
