package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.penstock.kit.program.Programs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Publishes into a folder by the command of docs/embed.md, and builds its first program with what is there. */
@Tag("full")
@Tag("full-only")
@Timeout(1800)
class PublishedArtifactsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path folder;

    /** What a build of the artifacts reads, so that the copy is built, not what this build uses. */
    private Path copy(String name) throws IOException {
        Path copy = folder.resolve(name);
        List<Path> wanted = new ArrayList<>(List.of(
                ROOT.resolve("pom.xml"),
                ROOT.resolve("LICENSE"),
                ROOT.resolve("NOTICE"),
                ROOT.resolve(".mvn/maven.config")));
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module :
                    modules.filter(at -> Files.exists(at.resolve("pom.xml"))).toList()) {
                wanted.add(module.resolve("pom.xml"));
                Path main = module.resolve("src/main");
                if (Files.exists(main)) {
                    try (Stream<Path> files = Files.walk(main)) {
                        wanted.addAll(files.filter(Files::isRegularFile).toList());
                    }
                }
            }
        }
        for (Path file : wanted) {
            Path to = copy.resolve(ROOT.relativize(file));
            Files.createDirectories(to.getParent());
            Files.copy(file, to);
        }
        return copy;
    }

    private static String run(Path in, String... command) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(in.toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor())
                .as(String.join(" ", command) + "\n" + output)
                .isZero();
        return output;
    }

    private static String[] maven(String... arguments) {
        return Stream.concat(Stream.of(Programs.path("mvn"), "-B", "-q"), Stream.of(arguments))
                .toArray(String[]::new);
    }

    /** The first block of a language after a heading of docs/embed.md. */
    private static String block(String heading, String language) throws IOException {
        String page = Files.readString(ROOT.resolve("docs/embed.md"));
        int from = page.indexOf("```" + language + "\n", page.indexOf(heading)) + language.length() + 4;
        return page.substring(from, page.indexOf("```", from));
    }

    @Test
    void programOfTheDocsBuildsOfflineFromWhatWasPublished() throws Exception {
        Path published = folder.resolve("published");
        Path first = copy("first");
        run(
                first,
                maven(
                        "deploy",
                        "-Prelease",
                        "-Dmaven.test.skip",
                        "-Dformat.skip",
                        "-Dmaven.install.skip",
                        "-DaltDeploymentRepository=local::" + published.toUri()));
        assertThat(kinds(published, "penstock-http"))
                .contains(".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json", ".pom");
        for (Path jar : jars(first).values()) {
            try (JarFile in = new JarFile(jar.toFile())) {
                assertThat(in.getEntry("META-INF/LICENSE")).as(jar.toString()).isNotNull();
                assertThat(in.getEntry("META-INF/NOTICE")).as(jar.toString()).isNotNull();
            }
        }

        assertThat(consumer(published)).contains("200 paid").contains("answered=1");

        Path second = copy("second");
        run(second, maven("package", "-Dmaven.test.skip", "-Dformat.skip"));
        Map<String, Path> again = jars(second);
        assertThat(again).hasSizeGreaterThan(8);
        again.forEach((name, jar) -> assertThat(jar).hasSameBinaryContentAs(first.resolve(second.relativize(jar))));
    }

    /** Builds and runs Payments against a server, with no other repository than folders. */
    private String consumer(Path published) throws Exception {
        Path project = Files.createDirectories(folder.resolve("consumer"));
        String libraries = Path.of(System.getProperty("user.home"), ".m2", "repository")
                .toUri()
                .toString();
        Files.writeString(project.resolve("settings.xml"), """
                <settings>
                  <mirrors><mirror><id>local</id><mirrorOf>central</mirrorOf><url>%s</url></mirror></mirrors>
                </settings>
                """.formatted(libraries));
        Files.writeString(project.resolve("pom.xml"), """
                <project xmlns="http://maven.apache.org/POM/4.0.0">
                  <modelVersion>4.0.0</modelVersion>
                  <groupId>shop</groupId><artifactId>payments</artifactId><version>1</version>
                  %s
                  <repositories><repository><id>published</id><url>%s</url></repository></repositories>
                  <build><pluginManagement><plugins>
                    <plugin><artifactId>maven-resources-plugin</artifactId><version>3.5.0</version></plugin>
                    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.16.0</version></plugin>
                    <plugin><artifactId>maven-dependency-plugin</artifactId><version>3.11.0</version></plugin>
                  </plugins></pluginManagement></build>
                </project>
                """.formatted(
                        block("in the `pom.xml` of your project", "xml"), published.toUri()));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/transactions", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, 4);
            exchange.getResponseBody().write("paid".getBytes());
            exchange.close();
        });
        server.start();
        try {
            Path source =
                    Files.createDirectories(project.resolve("src/main/java")).resolve("Payments.java");
            Files.writeString(
                    source,
                    block("# Embed", "java")
                            .replace(
                                    "127.0.0.1:8081",
                                    "127.0.0.1:" + server.getAddress().getPort()));
            run(
                    project,
                    maven(
                            "-s",
                            "settings.xml",
                            "-Dmaven.repo.local=" + folder.resolve("repository"),
                            "compile",
                            "dependency:copy-dependencies",
                            "-DoutputDirectory=lib"));
            return run(
                    project,
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    "target/classes:lib/*",
                    "Payments");
        } finally {
            server.stop(0);
        }
    }

    /** What follows name and version in the names of an artifact's files. */
    private static List<String> kinds(Path published, String artifact) throws IOException {
        try (Stream<Path> files = Files.walk(published.resolve("dev/penstock").resolve(artifact))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(artifact))
                    .map(name -> name.replaceFirst("^.*-\\d+(?=[-.][a-z])", ""))
                    .toList();
        }
    }

    /** The main jars that a build made, by name. */
    private static Map<String, Path> jars(Path build) throws IOException {
        Map<String, Path> jars = new HashMap<>();
        try (Stream<Path> files = Files.walk(build, 4)) {
            files.filter(file -> file.getFileName().toString().matches("penstock-[a-z-]+-\\d[\\d.]*(-SNAPSHOT)?[.]jar"))
                    .filter(file -> !file.endsWith("app/" + file.getFileName())
                            || file.toString().contains("penstock-cli"))
                    .forEach(file -> jars.put(file.getFileName().toString(), file));
        }
        return jars;
    }

    /** Each module that is published is in the bill of materials for builds. */
    @Test
    void bomNamesEveryArtifact() throws IOException {
        String bom = Files.readString(ROOT.resolve("bom/pom.xml"));
        try (Stream<Path> modules = Files.list(ROOT)) {
            List<String> names = modules.filter(at -> Files.exists(at.resolve("src/main/java")))
                    .map(at -> at.getFileName().toString())
                    .filter(name -> !name.equals("races"))
                    .map(name -> "<artifactId>penstock-" + name + "</artifactId>")
                    .toList();
            assertThat(names).hasSizeGreaterThan(10).allMatch(bom::contains, "is in bom/pom.xml");
        }
    }
}
