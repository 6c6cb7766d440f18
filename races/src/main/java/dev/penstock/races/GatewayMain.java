package dev.penstock.races;

import dev.penstock.cli.Penstock;
import java.io.IOException;

/** The process of a gateway that a race starts: {@code penstock serve}, until it is killed or the standard input ends. */
public final class GatewayMain {
    private GatewayMain() {}

    /**
     * Runs it.
     *
     * @param args the flow file
     */
    public static void main(String[] args) {
        Thread.ofPlatform().daemon().name("parent").start(GatewayMain::endWithParent);
        Penstock.main(new String[] {"serve", args[0]});
    }

    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                // The parent writes nothing and closes the pipe when it ends.
            }
        } catch (IOException closed) {
            // The parent is gone too.
        }
        Runtime.getRuntime().halt(0);
    }
}
