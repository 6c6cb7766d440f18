package dev.penstock.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that names a folder with more JDBC drivers and JMS clients. */
final class LibOption {
    /** Loaded too when it is beside a flow file. */
    private static final String BESIDE = "lib";

    @Option(
            names = "--lib",
            paramLabel = "DIR",
            description = "Also load the jars in this folder: JDBC drivers and JMS clients.")
    private @Nullable Path folder;

    /** An option not given yet; picocli fills it in. */
    LibOption() {}

    /**
     * Loads the jars in the folder, if one is given.
     *
     * @throws IllegalArgumentException when they cannot be loaded, or there are none, in one line that says what to do
     */
    ClientJars open() {
        return ClientJars.of(given());
    }

    /**
     * Loads the jars in the folder {@code lib} beside a flow file, if there is one, and in the folder that is given.
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

    boolean isGiven() {
        return folder != null;
    }

    private List<Path> given() {
        if (folder == null) {
            return List.of();
        }
        if (ClientJars.jars(folder).isEmpty()) {
            throw new IllegalArgumentException("there is no jar in " + folder
                    + ": give --lib a folder with the jars of JDBC drivers or JMS clients");
        }
        return List.of(folder);
    }
}
