package dev.penstock.races.hop;

import dev.penstock.jms.kit.ChildJvm;
import dev.penstock.lab.race.Entry;
import dev.penstock.lab.report.Contestant.Role;
import dev.penstock.races.GatewayMain;
import dev.penstock.races.machine.Tools;
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

/** Who is the hop, by name, each in a process of its own. */
enum HopContestants {
    /** What a proxy in C does. */
    HAPROXY("haproxy", Role.LIMIT, "HAProxy, one thread, connections to the origin kept and shared"),

    /** Another one. */
    NGINX("nginx", Role.LIMIT, "nginx, one process, connections to the origin kept"),

    /** What people run on the JVM. */
    SPRING("spring-cloud-gateway", Role.PEER, "Spring Cloud Gateway on WebFlux and Netty, one route"),

    /** Ours as it is meant to run. */
    STAGES("penstock", Role.OURS, "deadline, retry by key, breaker, a limit that finds itself, queue"),

    /** Ours as lean as a file can make it. */
    BARE("penstock-bare", Role.OURS, "no retry, no breaker, a fixed limit of 1,000");

    /**
     * For both on the JVM. With one core it takes the serial collector by itself; here it has to, on any machine. A young
     * generation of 80 MB is collected every 0.7 s at half load, and what connections keep is copied 4 times instead of 15: a
     * pause is 0.6 ms then.
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
     * The one of that name.
     *
     * @throws IllegalArgumentException when there is none
     */
    static HopContestants named(String name) {
        return Arrays.stream(values())
                .filter(contestant -> contestant.title.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("hop has no contestant " + name));
    }

    /** Its name in the race. */
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

    /** Why it cannot run here, in a few words; empty when it can. */
    Optional<String> whyNot() {
        return switch (this) {
            case HAPROXY ->
                Tools.has("haproxy")
                        ? Optional.empty()
                        : Optional.of("haproxy was not found, on Debian: apt-get install haproxy");
            case SPRING ->
                Files.isDirectory(spring())
                        ? Optional.empty()
                        : Optional.of(
                                "its jars are not in " + spring() + ": build the module races, mvn package does it");
            case NGINX, STAGES, BARE -> Optional.empty();
        };
    }

    /**
     * The command of its process.
     *
     * @param folder for its files
     * @param port where it shall listen
     * @param origin where the origin listens
     */
    List<String> command(Path folder, int port, int origin) throws IOException {
        Map<String, String> words =
                Map.of("PORT", String.valueOf(port), "ORIGIN", String.valueOf(origin), "FOLDER", folder.toString());
        return switch (this) {
            case HAPROXY -> List.of(Program.path("haproxy"), "-db", "-f", written("haproxy.cfg", folder, words));
            case NGINX -> nginx(folder, written("nginx.conf", folder, words));
            case SPRING -> spring("--spring.config.location=file:" + written("spring.yaml", folder, words));
            case STAGES -> ours(written("stages.yaml", folder, words));
            case BARE -> ours(written("bare.yaml", folder, words));
        };
    }

    /** The command of an nginx whose files are all in a folder. */
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

    /** One of this race's files, filled in. */
    static String written(String resource, Path folder, Map<String, String> words) throws IOException {
        return HopSettings.write(resource, folder, words).toString();
    }

    private static List<String> ours(String file) {
        return ChildJvm.command(JVM, GatewayMain.class, file);
    }

    /** Its own jars, and of ours this race alone. */
    private static List<String> spring(String... args) {
        List<String> command = new ArrayList<>(ChildJvm.command(JVM, SpringMain.class, args));
        int classPath = command.indexOf("-cp") + 1;
        command.set(
                classPath,
                Stream.of(origin().toString(), spring().resolve("*").toString())
                        .collect(Collectors.joining(File.pathSeparator)));
        return command;
    }

    /** Beside the folder of this module's classes, or two up from its jar. */
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
