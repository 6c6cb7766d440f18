package dev.penstock.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for a folder with additional JDBC drivers and JMS clients. */
final class LibOption {
    /** Also loaded if it exists beside the flow file. */
    private static final String BESIDE = "lib";

    @Option(
            names = "--lib",
            paramLabel = "DIR",
            description = "Also load the jars in this folder: JDBC drivers and JMS clients.")
    private @Nullable Path folder;

    /**
     * Loads the jars in the given folder, if any.
     *
     * @throws IllegalArgumentException they cannot be loaded or there are none, with a one-line remedy
     */
    ClientJars open() {
        return ClientJars.of(given());
    }

    /**
     * Loads the jars in the folder {@code lib} beside the flow file, if it exists, and in the given folder.
     *
     * @throws IllegalArgumentException as above
     */
    ClientJars openFor(Path flowFile) {
        List<Path> folders = new ArrayList<>();
        Path beside = flowFile.toAbsolutePath().resolveSibling(BESIDE);
        if (Files.isDirectory(beside)) {
            folders.add(beside);
        }
        folders.addAll(given());
        return ClientJars.of(folders);
    }

    private List<Path> given() {
        if (folder == null) {
            return List.of();
        }
        if (ClientJars.jars(folder).isEmpty()) {
            throw new IllegalArgumentException("no jars found in " + folder
                    + ": --lib must name a folder with the jars of JDBC drivers or JMS clients");
        }
        return List.of(folder);
    }
}
