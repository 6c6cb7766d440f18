package dev.penstock.races.hop;

import dev.penstock.gateway.Gateway;
import dev.penstock.gateway.config.BadConfig;
import dev.penstock.gateway.config.FlowFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** The process of ours: what {@code penstock serve} runs, until it is killed. */
final class GatewayMain {
    private GatewayMain() {}

    /**
     * Serves.
     *
     * @param args the flow file
     */
    public static void main(String[] args) throws IOException, InterruptedException, BadConfig {
        try (Gateway gateway = Gateway.start(FlowFile.read(Path.of(args[0])).config())) {
            System.out.println("serving " + gateway.flows().size());
            new CountDownLatch(1).await();
        }
    }
}
