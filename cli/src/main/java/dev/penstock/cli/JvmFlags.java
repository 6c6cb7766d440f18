package dev.penstock.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The options of a running JVM that tune it. */
final class JvmFlags {
    /** Options that have their value in the next argument. */
    private static final Set<String> WITH_VALUE =
            Set.of(("-cp -classpath --class-path -p --module-path --upgrade-module-path --add-modules --limit-modules"
                            + " --add-exports --add-opens --add-reads --patch-module --enable-native-access --source")
                    .split(" "));

    /** Behind one of these are the arguments of the program. */
    private static final Set<String> PROGRAM = Set.of("-jar", "-m", "--module");

    private JvmFlags() {}

    /** Its options that begin with {@code -X}, in one line; empty for none. Properties are left out: they may be secret. */
    static Optional<String> of(long pid) {
        String flags = String.join(" ", in(arguments(pid)));
        return flags.isEmpty() ? Optional.empty() : Optional.of(flags);
    }

    private static List<String> in(List<String> arguments) {
        List<String> flags = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            boolean isOption = argument.startsWith("-") || argument.startsWith("@");
            if (!isOption || PROGRAM.contains(argument)) {
                break;
            }
            if (argument.startsWith("-X")) {
                flags.add(argument);
            }
            i += WITH_VALUE.contains(argument) ? 1 : 0;
        }
        return flags;
    }

    /** {@link ProcessHandle.Info#arguments} has none on Linux if the command line is longer than 4 KB, as class paths make it. */
    private static List<String> arguments(long pid) {
        try {
            byte[] line = Files.readAllBytes(Path.of("/proc/" + pid + "/cmdline"));
            List<String> words = List.of(new String(line, StandardCharsets.UTF_8).split("\0"));
            return words.subList(1, words.size());
        } catch (IOException otherSystem) {
            return ProcessHandle.of(pid)
                    .flatMap(process -> process.info().arguments())
                    .map(List::of)
                    .orElse(List.of());
        }
    }
}
