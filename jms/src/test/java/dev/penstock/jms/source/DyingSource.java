package dev.penstock.jms.source;

import dev.penstock.Failed;
import dev.penstock.jms.JmsBroker;
import java.io.IOException;

/**
 * A source in its own process, which is killed. Its flow refuses every message permanently. It ends with its parent.
 */
final class DyingSource {
    private DyingSource() {}

    /**
     * Runs a source.
     *
     * @param args the broker's URL, its queue, and the queue of its dead letters
     */
    public static void main(String[] args) throws IOException {
        try (JmsSource source = JmsSource.at(JmsBroker.at(args[0]).user("guest", "guest"))
                .queue(args[1])
                .deadLetter(args[2])
                .key("n")
                .to(
                        message -> {
                            throw new Failed(Failed.Cause.REFUSED, "never");
                        },
                        () -> 20)) {
            source.start();
            System.out.println("@started");
            while (System.in.read() >= 0) {}
        }
        Runtime.getRuntime().halt(0);
    }
}
