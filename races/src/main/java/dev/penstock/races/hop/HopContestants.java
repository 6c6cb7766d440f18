package dev.penstock.races.hop;

import dev.penstock.jms.kit.ChildJvm;
import dev.penstock.kit.program.Programs;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.GatewayMain;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The contestants by name, each in its own process. */
enum HopContestants {
    /** A proxy in C. */
    HAPROXY("haproxy", Role.LIMIT, "HAProxy, one thread, connections to the origin kept alive and shared"),

    /** Another proxy in C. */
    NGINX("nginx", Role.LIMIT, "nginx, one process, connections to the origin kept alive"),

    /** The usual choice on the JVM. */
    SPRING("spring-cloud-gateway", Role.PEER, "Spring Cloud Gateway on WebFlux and Netty, one route"),

    /** Penstock with all its stages. */
    STAGES("penstock", Role.OURS, "deadline, retry by key, breaker, adaptive limit, queue"),

    /** Penstock with as few stages as a configuration file allows. */
    BARE("penstock-bare", Role.OURS, "no retry, no breaker, a fixed limit of 1,000");

    /**
     * JVM options for both contestants on the JVM. With one core, the JVM selects the serial collector by itself; this
     * option selects it on any machine. A young generation of 80 MB is collected every 0.7 s at half load, and objects
     * of connections are copied 4 times instead of 15, which shortens a pause to 0.6 ms.
     */
    static final List<String> JVM =
            List.of("-Xms128m", "-Xmx128m", "-Xmn80m", "-XX:MaxTenuringThreshold=4", "-XX:+UseSerialGC");

    private final String title;
    private final Role role;
    private final String how;

    HopContestants(String title, Role role, String how) {
        this.title = title;
        this.role = role;
        this.how = how;
    }

    /**
     * The contestant with a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    static HopContestants named(String name) {
        return Arrays.stream(values())
                .filter(contestant -> contestant.title.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("hop has no contestant " + name));
    }

    /** The name in the race. */
    String title() {
        return title;
    }

    Role role() {
        return role;
    }

    boolean isOnTheJvm() {
        return role == Role.PEER || role == Role.OURS;
    }

    Entry entry() {
        return Entry.inside(
                title, role, isOnTheJvm() ? Map.of("how", how, "JVM", String.join(" ", JVM)) : Map.of("how", how));
    }

    /** The reason why it cannot run here, in a few values; empty if it can. */
    Optional<String> whyNot() {
        return switch (this) {
            case HAPROXY ->
                Programs.find("haproxy").isPresent() ? Optional.empty() : Optional.of(Programs.missing("haproxy"));
            case SPRING ->
                Files.isDirectory(spring())
                        ? Optional.empty()
                        : Optional.of("its jars are not in " + spring() + ": build the module races with mvn package");
            case NGINX, STAGES, BARE -> Optional.empty();
        };
    }

    /**
     * The command of its process.
     *
     * @param folder the folder for its files
     * @param port the port to listen on
     * @param origin the port of the origin
     */
    List<String> command(Path folder, int port, int origin) throws IOException {
        Map<String, String> values =
                Map.of("PORT", String.valueOf(port), "ORIGIN", String.valueOf(origin), "FOLDER", folder.toString());
        return switch (this) {
            case HAPROXY -> List.of(Program.path("haproxy"), "-db", "-f", write("haproxy.cfg", folder, values));
            case NGINX -> nginx(folder, write("nginx.conf", folder, values));
            case SPRING -> spring("--spring.config.location=file:" + write("spring.yaml", folder, values));
            case STAGES -> ours(write("stages.yaml", folder, values));
            case BARE -> ours(write("bare.yaml", folder, values));
        };
    }

    /** The command of an nginx that keeps all its files in a folder. */
    static List<String> nginx(Path folder, String conf) throws IOException {
        return List.of(
                Program.path("nginx"),
                "-p",
                folder.toString(),
                "-e",
                folder.resolve("error.log").toString(),
                "-c",
                conf);
    }

    /** Writes one of this package's templates with its values, and returns the path. */
    static String write(String resource, Path folder, Map<String, String> values) throws IOException {
        return HopSettings.write(resource, folder, values).toString();
    }

    private static List<String> ours(String file) {
        return ChildJvm.command(JVM, GatewayMain.class, file);
    }

    /** A class path with Spring's jars, and from Penstock only this race. */
    private static List<String> spring(String... args) {
        List<String> command = new ArrayList<>(ChildJvm.command(JVM, SpringMain.class, args));
        int classPath = command.indexOf("-cp") + 1;
        command.set(
                classPath,
                Stream.of(origin().toString(), spring().resolve("*").toString())
                        .collect(Collectors.joining(File.pathSeparator)));
        return command;
    }

    /** The folder next to this module's classes, or two levels above its jar. */
    private static Path spring() {
        Path origin = origin();
        return (Files.isDirectory(origin) ? origin.resolve("..") : origin.resolve("../.."))
                .resolve("app-scg")
                .normalize();
    }

    private static Path origin() {
        return Path.of(HopContestants.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
    }
}
