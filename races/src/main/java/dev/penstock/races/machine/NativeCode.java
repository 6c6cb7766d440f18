package dev.penstock.races.machine;

import dev.penstock.kit.program.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Compiles C sources among the resources with this machine's compiler. */
public final class NativeCode {
    private static final long TIMEOUT_SECONDS = 60;

    private NativeCode() {}

    /** Why that is not possible here; empty when it is. */
    public static Optional<String> whyNot() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return Optional.of("it needs Linux");
        }
        return Programs.find("gcc").isPresent() ? Optional.empty() : Optional.of(Programs.missing("gcc"));
    }

    /**
     * Compiles a source in a temporary directory, which is deleted with this JVM.
     *
     * @param beside the class in whose package the source is
     * @param source the name of the source
     * @param options of the compiler
     */
    public static Path build(Class<?> beside, String source, String... options)
            throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("penstock-native");
        folder.toFile().deleteOnExit();
        Path copy = folder.resolve(source);
        Path built = folder.resolve("built");
        Path output = folder.resolve("output");
        try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream(source), source)) {
            Files.copy(in, copy);
        }
        for (Path file : List.of(copy, built, output)) {
            file.toFile().deleteOnExit();
        }
        String compiler = Programs.path("gcc");
        List<String> command = new ArrayList<>(List.of(compiler, "-O2"));
        command.addAll(List.of(options));
        command.addAll(List.of("-o", built.toString(), copy.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(compiler + " did not build " + source + " within " + TIMEOUT_SECONDS + " s");
        }
        if (process.exitValue() != 0) {
            throw new IOException(compiler + " could not build " + source + ": "
                    + Files.readAllLines(output).stream().findFirst().orElse("no error message"));
        }
        return built;
    }
}
