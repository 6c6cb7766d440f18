package dev.penstock.races.jmsflow;

import dev.penstock.jms.kit.ChildJvm;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** The parent's side of a {@link KilledConsumer} process: records its output in {@link Effects}. */
final class ConsumerProcess {
    /** The process is killed after seconds: a fast start matters more than peak performance. */
    private static final List<String> FAST_START = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Process process;
    private final Thread listener;

    ConsumerProcess(String url, Path store, Effects effects) throws IOException {
        process = new ProcessBuilder(ChildJvm.command(FAST_START, KilledConsumer.class, url, store.toString()))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        listener = Thread.ofPlatform().daemon().name("effects").start(() -> listen(effects));
    }

    private void listen(Effects effects) {
        try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII);
                BufferedWriter in = process.outputWriter(StandardCharsets.US_ASCII)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                int space = line.indexOf(' ', 2);
                int number = Integer.parseInt(line, 2, space, 10);
                effects.held(Integer.parseInt(line, space + 1, line.length(), 10));
                switch (line.charAt(0)) {
                    case KilledConsumer.DELIVERED -> effects.delivered(number);
                    case KilledConsumer.EFFECT -> effects.effect(number);
                    case KilledConsumer.ENDED -> effects.ended(number);
                    case KilledConsumer.QUESTION -> answer(in, effects.isDone(number), number);
                    default -> throw new IllegalStateException("unexpected line from the consumer: " + line);
                }
            }
        } catch (IOException e) {
            // The process was killed.
        }
    }

    private static void answer(BufferedWriter in, boolean done, int number) throws IOException {
        in.write((done ? KilledConsumer.YES : KilledConsumer.NO) + " " + number + "\n");
        in.flush();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** kill -9; returns when all of its output was read. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        listener.join();
    }
}
