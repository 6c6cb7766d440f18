package dev.penstock.races.udpburst;

import dev.penstock.races.machine.Tools;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The server in C, built once a race by the compiler of this machine. */
final class NativeEcho {
    private static final String SOURCE = "echo.c";
    private static final long PATIENCE_SECONDS = 60;
    private static @Nullable Path built;

    private NativeEcho() {}

    /** Why it cannot run here, in a few words; empty when it can. */
    static Optional<String> whyNot() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return Optional.of("it needs Linux");
        }
        return Tools.first("gcc", "cc").isPresent()
                ? Optional.empty()
                : Optional.of("no C compiler was found: install gcc, on Debian by apt-get install gcc libc6-dev");
    }

    /** The command that runs it. */
    static List<String> command(long buffer, boolean segmented) throws IOException, InterruptedException {
        return List.of(
                program().toString(),
                new String(Traffic.find(), StandardCharsets.US_ASCII),
                new String(Traffic.with(), StandardCharsets.US_ASCII),
                String.valueOf(buffer),
                segmented ? "1" : "0");
    }

    private static synchronized Path program() throws IOException, InterruptedException {
        if (built == null) {
            built = build();
        }
        return built;
    }

    /** Into a folder of its own, which goes with this JVM. */
    private static Path build() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("penstock-echo");
        folder.toFile().deleteOnExit();
        Path source = folder.resolve(SOURCE);
        Path program = folder.resolve("echo");
        Path said = folder.resolve("said");
        try (InputStream in = Objects.requireNonNull(NativeEcho.class.getResourceAsStream(SOURCE), SOURCE)) {
            Files.copy(in, source);
        }
        for (Path file : List.of(source, program, said)) {
            file.toFile().deleteOnExit();
        }
        String compiler = Tools.first("gcc", "cc").orElseThrow(() -> new IOException("there is no C compiler"));
        Process process = new ProcessBuilder(compiler, "-O2", "-pthread", "-o", program.toString(), source.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(compiler + " had not built the limit after " + PATIENCE_SECONDS + " s");
        }
        if (process.exitValue() != 0) {
            throw new IOException(compiler + " could not build the limit: "
                    + Files.readAllLines(said).stream().findFirst().orElse("it does not say why"));
        }
        return program;
    }
}
