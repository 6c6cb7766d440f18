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
 * The user that runs PostgreSQL, which rejects root. For root, the first way that this machine supports is used, and
 * {@link RealPostgres#runsAs()} names it.
 */
enum RunAs {
    /** As the current user, who is not root. */
    OURSELVES(List.of()),
    /** A user namespace that maps root to nobody. For the file system it is still root, so files keep their owner. */
    UNSHARED(List.of("unshare", "-U")),
    /** As another user, who gets the data folder. */
    SETPRIV(List.of("setpriv", "--reuid=nobody", "--regid=" + group(), "--clear-groups")),
    /** The same, if setpriv is missing or that of busybox. */
    RUNUSER(List.of("runuser", "-u", "nobody", "--"));

    private static final long PATIENCE_S = 60;

    private final List<String> before;

    RunAs(List<String> before) {
        this.before = before;
    }

    /** The best supported way. */
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

    /** Gives a folder to the other user, if the way changes the user for the file system. */
    void own(Path folder) throws IOException {
        if (this == SETPRIV || this == RUNUSER) {
            Files.setOwner(
                    folder,
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        }
    }

    /** The group of nobody: nogroup on Debian, nobody elsewhere. */
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
