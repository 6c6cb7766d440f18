package dev.penstock.races.jmsflow;

import dev.penstock.jms.kit.ChildJvm;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A {@link KilledConsumer} in its process, from its parent's side: what it says goes into the {@link Effects}. */
final class ConsumerProcess {
    /** It is killed after seconds: that it starts soon is worth more than that it becomes fast. */
    private static final List<String> SOON_UP = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Process process;
    private final Thread listener;

    ConsumerProcess(String url, Path ledger, Effects effects) throws IOException {
        process = new ProcessBuilder(ChildJvm.command(SOON_UP, KilledConsumer.class, url, ledger.toString()))
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
                effects.inHand(Integer.parseInt(line, space + 1, line.length(), 10));
                switch (line.charAt(0)) {
                    case KilledConsumer.DELIVERED -> effects.delivered(number);
                    case KilledConsumer.EFFECT -> effects.effect(number);
                    case KilledConsumer.ENDED -> effects.ended(number);
                    case KilledConsumer.QUESTION -> answer(in, effects.isDone(number), number);
                    default -> throw new IllegalStateException("the consumer said " + line);
                }
            }
        } catch (IOException e) {
            // It was killed.
        }
    }

    private static void answer(BufferedWriter in, boolean done, int number) throws IOException {
        in.write((done ? KilledConsumer.YES : KilledConsumer.NO) + " " + number + "\n");
        in.flush();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** kill -9; returns when all that it ever said was read. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
        listener.join();
    }
}
