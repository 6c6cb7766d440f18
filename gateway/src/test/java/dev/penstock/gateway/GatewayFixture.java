package dev.penstock.gateway;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test of a running gateway in front of a target. */
abstract class GatewayFixture {
    @TempDir
    Path folder;

    SlowTarget target;
    Gateway gateway;

    /** Starts the gateway; the target runs already. */
    abstract Gateway start() throws Exception;

    @BeforeEach
    void open() throws Exception {
        target = new SlowTarget();
        gateway = start();
    }

    @AfterEach
    void close() throws Exception {
        gateway.close();
        target.close();
    }
}
