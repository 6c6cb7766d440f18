package dev.penstock.races.udpburst;

import dev.penstock.races.machine.NativeCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The server in C, compiled once per race. */
final class NativeEcho {
    private static @Nullable Path built;

    private NativeEcho() {}

    /** The command that runs it. */
    static List<String> command(long buffer, boolean segmented) throws IOException, InterruptedException {
        return List.of(
                program().toString(),
                new String(UdpBurstTraffic.find(), StandardCharsets.US_ASCII),
                new String(UdpBurstTraffic.with(), StandardCharsets.US_ASCII),
                String.valueOf(buffer),
                segmented ? "1" : "0");
    }

    private static synchronized Path program() throws IOException, InterruptedException {
        if (built == null) {
            built = NativeCode.build(NativeEcho.class, "echo.c", "-pthread");
        }
        return built;
    }
}
