package dev.penstock.jms.kit;

import dev.penstock.jms.broker.EmbeddedBroker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What runs in the broker's process: starts it, says where it is, and answers a line each with the name of a queue by how
 * many messages wait there. Ends when nobody asks any more: in order when told so, else at once, as its parent is gone.
 */
final class BrokerMain {
    /** Begins each line that is meant for the parent; all else is what libraries print. */
    static final String MARK = "@broker ";

    /** Asks for an end in order. */
    static final String STOP = "";

    private BrokerMain() {}

    /**
     * Runs one.
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
        Runtime.getRuntime().halt(0); // what was started in part may hold on to the process
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
