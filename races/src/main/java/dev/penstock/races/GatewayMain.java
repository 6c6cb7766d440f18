package dev.penstock.races.hop;

import dev.penstock.cli.Penstock;
import java.io.IOException;

/** The process of ours: {@code penstock serve}, until it is killed or its parent is gone. */
public final class GatewayMain {
    private GatewayMain() {}

    /**
     * Serves.
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
                // The parent says nothing; its end is the end.
            }
        } catch (IOException gone) {
            // As well.
        }
        Runtime.getRuntime().halt(0);
    }
}
