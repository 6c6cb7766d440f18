package dev.penstock.races;

import dev.penstock.cli.Penstock;
import java.io.IOException;

/**
 * The main class of a gateway process started by a race: runs {@code penstock serve} until it is killed or standard
 * input ends.
 */
public final class GatewayMain {
    private GatewayMain() {}

    /**
     * Runs the gateway.
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
                // The parent writes nothing; the pipe closes when it ends.
            }
        } catch (IOException closed) {
            // The parent is gone too.
        }
        Runtime.getRuntime().halt(0);
    }
}
