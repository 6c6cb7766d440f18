package dev.penstock.jms.kit;

import dev.penstock.jms.broker.EmbeddedBroker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The main class of the broker's process. Starts the broker, prints its port, and answers each line, the name of a
 * queue, with the number of its messages. Stops gracefully on demand, and immediately when standard input ends because
 * the parent is gone.
 */
final class BrokerMain {
    /** Begins each line for the parent; libraries print the others. */
    static final String MARK = "@broker ";

    /** The command to stop gracefully. */
    static final String STOP = "";

    private BrokerMain() {}

    /**
     * Runs a broker.
     *
     * @param args its folder, and its port or 0
     */
    public static void main(String[] args) {
        PrintStream out = System.out;
        System.setOut(System.err);
        try {
            run(args, out);
        } catch (IOException e) {
            System.err.println(e.getMessage());
        }
        Runtime.getRuntime().halt(0); // what was started may keep the process alive
    }

    private static void run(String[] args, PrintStream out) throws IOException {
        EmbeddedBroker broker = EmbeddedBroker.on(Path.of(args[0]), "127.0.0.1", Integer.parseInt(args[1]));
        out.println(MARK + broker.url());
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String queue = in.readLine(); queue != null; queue = in.readLine()) {
            if (queue.equals(STOP)) {
                broker.close();
                return;
            }
            out.println(MARK + broker.count(queue));
        }
    }
}
