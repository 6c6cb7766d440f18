package dev.penstock.jdbc.kit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Who PostgreSQL runs as. It refuses root; where we are root, the first of these that this machine allows is taken, and {@link
 * RealPostgres#runsAs()} says which.
 */
enum RunAs {
    /** We are not root: as we are. */
    OURSELVES(List.of()),
    /** A user namespace in which root is nobody; for the files it stays root, so they keep their owner. */
    UNSHARED(List.of("unshare", "-U")),
    /** Really somebody else; the data folder becomes theirs. */
    SETPRIV(List.of("setpriv", "--reuid=nobody", "--regid=" + group(), "--clear-groups")),
    /** The same, for where setpriv is missing or is busybox's. */
    RUNUSER(List.of("runuser", "-u", "nobody", "--"));

    private static final long PATIENCE_S = 10;

    private final List<String> before;

    RunAs(List<String> before) {
        this.before = before;
    }

    /** The best way on this machine. */
    static RunAs best() {
        return Arrays.stream(values())
                .filter(RunAs::isPossible)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "PostgreSQL does not run as root, and neither unshare -U, setpriv nor runuser is allowed here:"
                                + " run the tests as another user, or name a running server,"
                                + " PENSTOCK_TEST_POSTGRES='jdbc:postgresql://host/db?user=..&password=..'"));
    }

    boolean isPossible() {
        try {
            Process id = new ProcessBuilder(command(List.of("id", "-u"))).start();
            String user = new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return id.waitFor(PATIENCE_S, TimeUnit.SECONDS)
                    && id.exitValue() == 0
                    && !user.isEmpty()
                    && !user.equals("0");
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    List<String> command(List<String> command) {
        List<String> whole = new ArrayList<>(before);
        whole.addAll(command);
        return whole;
    }

    /** Makes a folder theirs, where they are somebody else for the file system too. */
    void own(Path folder) throws IOException {
        if (this == SETPRIV || this == RUNUSER) {
            Files.setOwner(
                    folder,
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        }
    }

    /** Debian calls nobody's group nogroup, others nobody. */
    private static String group() {
        try {
            return Files.readAllLines(Path.of("/etc/group")).stream().anyMatch(line -> line.startsWith("nogroup:"))
                    ? "nogroup"
                    : "nobody";
        } catch (IOException e) {
            return "nobody";
        }
    }
}
